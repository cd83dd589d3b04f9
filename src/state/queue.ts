import { Heap } from '../aggregates/heap.ts';

/** Whatever is first by an order, first. */
export class Queue<Item> extends Heap<Item> {
  private readonly comesBefore: (a: Item, b: Item) => boolean;

  constructor(comesBefore: (a: Item, b: Item) => boolean) {
    super();
    this.comesBefore = comesBefore;
  }

  first(): Item | undefined {
    return this.members[0];
  }

  /** Takes the first one out. */
  pop(): Item | undefined {
    return this.size === 0 ? undefined : this.takeFrom(0);
  }

  /** All of them, in order. */
  inOrder(): Item[] {
    return [...this.members].sort((a, b) => (this.isBefore(a, b) ? -1 : this.isBefore(b, a) ? 1 : 0));
  }

  /** Leaves only some of them. */
  keep(wanted: (item: Item) => boolean): void {
    const kept = this.inOrder().filter(wanted);
    for (const [i, item] of kept.entries()) this.members[i] = item; // sorted, it is a heap
    this.members.length = kept.length;
  }

  protected override isBefore(a: Item, b: Item): boolean {
    return this.comesBefore(a, b);
  }
}
