import { NONE, type EventStore } from './eventStore.ts';

/** How many pages are appended from one landmark to the next. */
const EVERY = 16;

/**
 * Every so many pages of a long chain, in order: a search for an old time begins at one of them and not at the newest page.
 * Without them a late event among 100,000 walks back through hundreds of pages, each of them cold memory.
 */
export class Landmarks {
  /** By record of a chain; only of long ones. */
  private readonly pages: (number[] | undefined)[] = [];
  private readonly since: number[] = [];
  /** Landmarks of all chains: what they occupy is asked for with each report of progress. */
  private count = 0;
  private readonly store: EventStore;

  constructor(store: EventStore) {
    this.store = store;
  }

  /** Starts a chain. */
  open(record: number): void {
    this.count -= this.pages[record]?.length ?? 0;
    this.pages[record] = undefined;
    this.since[record] = 0;
  }

  /** A page was appended to the chain. */
  append(record: number, page: number): void {
    this.since[record]!++;
    if (this.since[record]! < EVERY) return;
    this.since[record] = 0;
    (this.pages[record] ??= []).push(page);
    this.count++;
  }

  /** The oldest page of the chain is given back. */
  release(record: number, page: number): void {
    const pages = this.pages[record];
    if (pages?.[0] !== page) return;
    pages.shift();
    this.count--;
  }

  /** The oldest landmark of the chain whose first event is later than `time`, or NONE. */
  firstAfter(record: number, time: number): number {
    const pages = this.pages[record];
    if (pages === undefined) return NONE;
    let low = 0, high = pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.store.timeAt(pages[middle]!) <= time) low = middle + 1;
      else high = middle;
    }
    return pages[low] ?? NONE;
  }

  get bytes(): number {
    return this.since.length * 16 + this.count * 8;
  }
}
