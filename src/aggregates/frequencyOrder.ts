import { Heap } from './heap.ts';
import { order, type Orderable } from './order.ts';
import { ownValue } from './ownValue.ts';

/** A value, and how often it is there. */
export interface Frequency<Value> {
  value: Value;
  count: number;
}

/** Whether a value comes before another: it is there more often, or as often and smaller. */
export function isBefore(count: number, value: Orderable, otherCount: number, other: Orderable): boolean {
  return count > otherCount || (count === otherCount && order(value, other) < 0);
}

/** What stands for a value: the epoch for a date, which compares faster, and which nobody else can change. */
type Ranked = Exclude<Orderable, Date>;

/**
 * Values by how often they are there, the smallest first where that is equal: a heap that knows where each value lies.
 *
 * A value that comes or goes takes O(log n) steps, often one or two, and the first k are found in O(k log k), from the top
 * down. A sorted list would give them in O(k), but would be searched and shifted for each value that comes or goes.
 *
 * A value is known by its slot, the place of its count.
 */
export class FrequencyOrder extends Heap<number> {
  /** Of all its values: those of two kinds may have no order. */
  readonly kind: string;
  /** By slot. Whoever changes one says so, before the next changes. */
  private readonly counts: readonly number[];
  private readonly values: Ranked[];
  /** By slot, where it lies in the heap. */
  private readonly places: number[];

  constructor(kind: string, counts: readonly number[]) {
    super();
    this.kind = kind;
    this.counts = counts;
    this.values = new Array<Ranked>(counts.length);
    this.places = new Array<number>(counts.length);
  }

  /** A value came that was not there. */
  insert(slot: number, value: unknown): void {
    this.values[slot] = value as Ranked;
    this.push(slot);
  }

  /** A value is there no more. */
  remove(slot: number): void {
    this.takeFrom(this.places[slot]!);
  }

  /** A value is there more often than before, or less. */
  update(slot: number, isMore: boolean): void {
    if (isMore) this.rise(slot, this.places[slot]!);
    else this.sink(slot, this.places[slot]!);
  }

  /** The first value. */
  get first(): Orderable {
    return this.valueAt(this.members[0]!);
  }

  /** The first k values, or all. */
  firstOf(k: number): Frequency<Orderable>[] {
    const { members, counts } = this, first: Frequency<Orderable>[] = [];
    // Whoever is next lies right below one of those that were found.
    const next = new Places(this);
    next.push(0);
    while (first.length < k && next.size > 0) {
      const place = next.takeFrom(0), slot = members[place]!;
      first.push({ value: this.valueAt(slot), count: counts[slot]! });
      for (let below = 2 * place + 1; below <= 2 * place + 2 && below < members.length; below++) next.push(below);
    }
    return first;
  }

  /** Whether what lies at a place comes before what lies at another. */
  isBeforeAt(a: number, b: number): boolean {
    return this.isBefore(this.members[a]!, this.members[b]!);
  }

  protected override put(slot: number, place: number): void {
    this.members[place] = slot;
    this.places[slot] = place;
  }

  protected override isBefore(a: number, b: number): boolean {
    return isBefore(this.counts[a]!, this.values[a]!, this.counts[b]!, this.values[b]!);
  }

  private valueAt(slot: number): Orderable {
    const value = this.values[slot]!;
    return this.kind === 'date' ? new Date(value as number) : ownValue(value);
  }
}

/** Places in an order, by what lies there. */
class Places extends Heap<number> {
  private readonly order: FrequencyOrder;

  constructor(order: FrequencyOrder) {
    super();
    this.order = order;
  }

  protected override isBefore(a: number, b: number): boolean {
    return this.order.isBeforeAt(a, b);
  }
}
