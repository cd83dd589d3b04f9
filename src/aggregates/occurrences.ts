import type { Aggregate } from './aggregate.ts';
import { FrequencyOrder } from './frequencyOrder.ts';

/** Each value, and each epoch of a date, with the number of times it is there. */
type OccurrencesAtRest = [values: [unknown, number][], dates: [unknown, number][]];

/** By value, the slot of its count. */
type Slots = Map<unknown, number>;

/** No slot. */
const NONE = -1;
/** With more slots than these it is looked whether most of them are free. */
const ROOM = 64;
/** An order is kept while at most one value in so many comes or goes between answers: then it costs as much as looking at all of them. */
const MANY = 24;
/** So many answers in a row that an order would have made cheaper make one: together they cost about as much as making it does. */
const PATIENCE = 8;

/**
 * Each distinct value with the number of times it is there. Dates go by their epoch, apart from equal numbers.
 *
 * An answer about the most frequent values either looks at all of them, or goes by an order that is kept for it. Which is less
 * depends on how much comes and goes between answers, so that decides, each time anew: an evaluation after thousands of
 * events looks at all values once, and costs those events nothing; answers for each row of a table go by the order. Either
 * way a value that comes or goes costs O(log n) on average, its share of the answers included, and no course of answers costs
 * more than about twice what looking at all values each time would. Which way was gone shows in no answer, nor at rest.
 */
export class Occurrences {
  private readonly values: Slots = new Map();
  /** From the first date on: few columns have any, and there is a state for each key. */
  private dates: Slots | undefined = undefined;
  /** By slot. In those that are free, the next free one. */
  private counts: number[] = [];
  private free: number = NONE;
  private order: FrequencyOrder | undefined = undefined;
  /** How many values came or went since the last answer. */
  private changes = 0;
  /** How many answers in a row an order would have made cheaper. */
  private missed = 0;

  /** How many distinct values there are. */
  get size(): number {
    return this.values.size + (this.dates?.size ?? 0);
  }

  /** A value comes so many times, or goes where that is negative. */
  add(value: unknown, times: number): void {
    if (value instanceof Date) this.addTo(this.ofDates(), value.getTime(), times);
    else this.addTo(this.values, value, times);
  }

  merge(from: Occurrences): void {
    for (const [value, slot] of from.values) this.addTo(this.values, value, from.counts[slot]!);
    for (const [epoch, slot] of from.dates ?? []) this.addTo(this.ofDates(), epoch, from.counts[slot]!);
  }

  /** Calls `visit` with each value and how often it is there. */
  each(visit: (value: unknown, times: number) => void): void {
    const { counts } = this;
    for (const [value, slot] of this.values) visit(value, counts[slot]!);
    for (const [epoch, slot] of this.dates ?? []) visit(new Date(epoch as number), counts[slot]!);
  }

  /** To be asked once for each answer: the order of the values, or undefined where it is less to look at all of them. */
  inOrder(): FrequencyOrder | undefined {
    if (this.order === undefined) {
      this.missed = (this.changes + 1) * MANY <= this.size ? this.missed + 1 : 0;
      if (this.missed >= PATIENCE) this.makeOrder();
    }
    this.changes = 0;
    return this.order;
  }

  encode(): OccurrencesAtRest {
    const atRest = (slots: Slots | undefined): [unknown, number][] => Array.from(slots ?? [], ([value, slot]) => [value, this.counts[slot]!]);
    return [atRest(this.values), atRest(this.dates)];
  }

  static decode(encoded: unknown): Occurrences {
    const [values, dates] = encoded as OccurrencesAtRest, state = new Occurrences();
    for (const [value, times] of values) state.addTo(state.values, value, times);
    for (const [epoch, times] of dates) state.addTo(state.ofDates(), epoch, times);
    return state;
  }

  private ofDates(): Slots {
    return (this.dates ??= new Map<unknown, number>());
  }

  private addTo(slots: Slots, value: unknown, times: number): void {
    this.changes++;
    if (this.order !== undefined && this.changes * MANY > this.size) this.order = undefined;
    const slot = slots.get(value);
    if (slot === undefined) return this.enter(slots, value, times);
    const left = (this.counts[slot]! += times);
    if (left === 0) this.leave(slots, value, slot);
    else this.order?.update(slot, times > 0);
  }

  private enter(slots: Slots, value: unknown, times: number): void {
    const { counts, free } = this, slot = free === NONE ? counts.length : free;
    if (free !== NONE) this.free = counts[free]!;
    counts[slot] = times;
    slots.set(value, slot);
    if (this.order?.kind === this.kindOf(slots, value)) this.order.insert(slot, value);
    else this.order = undefined;
  }

  private leave(slots: Slots, value: unknown, slot: number): void {
    slots.delete(value);
    this.order?.remove(slot);
    this.counts[slot] = this.free;
    this.free = slot;
    if (this.counts.length > ROOM && this.size * 4 < this.counts.length) this.tighten();
  }

  /** What a large window left behind would fill the memory of a small one. */
  private tighten(): void {
    const { counts } = this;
    this.counts = [];
    this.free = NONE;
    this.order = undefined;
    for (const slots of [this.values, this.dates]) slots?.forEach((slot, value) => slots.set(value, this.counts.push(counts[slot]!) - 1));
  }

  /** Leaves the order undefined where there are values of several kinds: no heap holds what can't be compared. */
  private makeOrder(): void {
    const slots = this.values.size > 0 || this.dates === undefined ? this.values : this.dates;
    if (slots.size < this.size) return;
    let order: FrequencyOrder | undefined;
    for (const [value, slot] of slots) {
      const kind = this.kindOf(slots, value);
      order ??= new FrequencyOrder(kind, this.counts);
      if (kind !== order.kind) return;
      order.insert(slot, value);
    }
    this.order = order;
    this.missed = 0;
  }

  private kindOf(slots: Slots, value: unknown): string {
    return slots === this.dates ? 'date' : typeof value;
  }
}

/** Aggregates that know how often each value is there: they differ in the answer. A lifetime keeps every distinct value. */
export function occurrences<Out>(name: string, finish: (state: Occurrences) => Out): Aggregate<unknown, Occurrences, Out> {
  return {
    name,
    builtIn: true,
    zero: () => new Occurrences(),
    reduce(state, value) {
      state.add(value, 1);
      return state;
    },
    merge(into, from) {
      into.merge(from);
      return into;
    },
    retract(state, value) {
      state.add(value, -1);
      return state;
    },
    finish,
    encode: (state) => state.encode(),
    decode: (encoded) => Occurrences.decode(encoded),
  };
}
