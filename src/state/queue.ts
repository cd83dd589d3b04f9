/** Whatever is first by an order, first: a binary heap. What is equal by the order leaves in any order. */
export class Queue<Item> {
  private readonly items: Item[] = [];
  private readonly isBefore: (a: Item, b: Item) => boolean;

  constructor(isBefore: (a: Item, b: Item) => boolean) {
    this.isBefore = isBefore;
  }

  get size(): number {
    return this.items.length;
  }

  first(): Item | undefined {
    return this.items[0];
  }

  push(item: Item): void {
    const { items, isBefore } = this;
    let i = items.length;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(item, items[parent]!)) break;
      items[i] = items[parent]!;
      i = parent;
    }
    items[i] = item;
  }

  /** Takes the first one out. */
  pop(): Item | undefined {
    const { items, isBefore } = this;
    const first = items[0], last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
      if (!isBefore(items[child]!, last)) break;
      items[i] = items[child]!;
      i = child;
    }
    items[i] = last;
    return first;
  }

  /** All of them, in order. */
  inOrder(): Item[] {
    return [...this.items].sort((a, b) => (this.isBefore(a, b) ? -1 : this.isBefore(b, a) ? 1 : 0));
  }

  /** Leaves only some of them. */
  keep(wanted: (item: Item) => boolean): void {
    const kept = this.inOrder().filter(wanted);
    for (const [i, item] of kept.entries()) this.items[i] = item; // sorted, it is a heap
    this.items.length = kept.length;
  }
}
