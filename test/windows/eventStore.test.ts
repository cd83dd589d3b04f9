import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventStore, isMissing, MISSING, PAGE, pageOf, SMALLEST_BLOCK } from '../../src/windows/eventStore.ts';

interface Stored {
  readonly time: number;
  readonly numbers: readonly (number | undefined)[];
  readonly cell: unknown;
}
interface Block {
  readonly at: number;
  readonly capacity: number;
  readonly events: (Stored | undefined)[];
}
const LANES = 2;
const sizes = [2, 4, 8, 16, 64];
const value = fc.oneof(fc.constantFrom(0, NaN, Infinity, -1), fc.constant(undefined), fc.double());
const step = fc.oneof(
  fc.tuple(fc.constant('allocate' as const), fc.nat(4), fc.nat(), value),
  fc.tuple(fc.constant('release' as const), fc.nat(), fc.nat(), value),
  fc.tuple(fc.constantFrom('write' as const, 'move' as const), fc.nat(), fc.nat(), value),
);

describe('EventStore', () => {
  test('what a burst took is given back, in whatever order, and serves again', () => {
    for (const order of [(a: number, b: number) => a - b, (a: number, b: number) => b - a, (a: number, b: number) => ((a * 37) % 1001) - ((b * 37) % 1001)]) {
      const store = new EventStore(1);
      store.addCells();
      const lasting = store.allocate(PAGE);
      store.write(lasting, 7, Float64Array.of(8), ['kept']);
      const { bytes } = store;
      for (let round = 0; round < 3; round++) {
        const pages = Array.from({ length: 1000 }, () => store.allocate(PAGE));
        expect(new Set([lasting, ...pages]).size).toBe(1001);
        for (const page of pages) store.write(page + PAGE - 1, page, Float64Array.of(page), [page]);
        for (const page of pages) expect([store.timeAt(page + PAGE - 1), store.numberAt(page + PAGE - 1, 0), store.cellAt(page + PAGE - 1, 0)]).toEqual([page, page, page]);
        expect(store.bytes).toBeGreaterThan(1000 * PAGE * 16);
        for (const page of pages.toSorted(order)) store.release(page, PAGE);
        expect(store.bytes).toBeLessThan(bytes + 3 * 128 * PAGE * 25); // two slabs, and a little for each page there ever was
      }
      expect([store.timeAt(lasting), store.numberAt(lasting, 0), store.cellAt(lasting, 0)]).toEqual([7, 8, 'kept']);
    }
  });

  test('equals blocks that are lists of events', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 200, maxLength: 250, size: 'max' }), fc.boolean(), (course, oftenMissing) => {
        const store = new EventStore(LANES);
        const cells = [store.addCells()];
        const blocks: Block[] = [];
        const write = (block: Block, index: number, event: Stored): void => {
          store.write(block.at + index, event.time, Float64Array.from(event.numbers, (number) => number ?? MISSING), [event.cell]);
          block.events[index] = event;
        };
        for (const [what, a, b, given] of course) {
          const block = blocks[a % blocks.length];
          if (what === 'allocate') {
            const capacity = sizes[a]!;
            const fresh: Block = { at: store.allocate(capacity), capacity, events: Array<undefined>(capacity).fill(undefined) };
            for (const { at, capacity: other } of blocks) expect(fresh.at + capacity <= at || at + other <= fresh.at).toBe(true);
            expect([fresh.at % capacity, pageOf(fresh.at)]).toEqual([0, pageOf(fresh.at + capacity - 1)]);
            blocks.push(fresh);
            for (let i = 0; i < capacity; i++) write(fresh, i, { time: i + b, numbers: [given === undefined ? 1 : given + 0, oftenMissing ? undefined : b], cell: { i } });
          } else if (block === undefined) continue;
          else if (what === 'release') {
            blocks.splice(blocks.indexOf(block), 1);
            store.release(block.at, block.capacity);
          } else if (what === 'write') write(block, b % block.capacity, { time: a, numbers: [given === undefined ? undefined : given + 0, b], cell: given });
          else {
            const target = blocks[b % blocks.length]!;
            const from = b % block.capacity, to = a % target.capacity, count = Math.min(block.capacity - from, target.capacity - to);
            const moved = block.events.slice(from, from + count);
            if (target === block) store.move(block.at + from, target.at + to, count);
            else store.copy(block.at + from, target.at + to, count);
            target.events.splice(to, count, ...moved);
          }
        }
        for (const { at, events } of blocks) {
          events.forEach((event, i) => {
            expect(store.timeAt(at + i)).toBe(event?.time);
            for (let lane = 0; lane < LANES; lane++) expect(store.numberAt(at + i, lane)).toBe(event?.numbers[lane]);
            expect(store.cellAt(at + i, cells[0]!)).toBe(event?.cell);
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a page whose small blocks are all free serves any size again', () => {
    const store = new EventStore(0);
    const small = Array.from({ length: PAGE / SMALLEST_BLOCK }, () => store.allocate(SMALLEST_BLOCK));
    expect(new Set(small.map(pageOf)).size).toBe(1);
    const other = store.allocate(16);
    small.forEach((block) => store.release(block, SMALLEST_BLOCK));
    expect(pageOf(store.allocate(PAGE))).toBe(pageOf(small[0]!));
    store.release(other, 16);
    expect(pageOf(store.allocate(32))).toBe(pageOf(other));
  });

  test('the slab does not grow while what is released is enough', () => {
    const store = new EventStore(1);
    let bytes = 0;
    for (let round = 0; round < 200; round++) {
      const blocks = sizes.map((size) => store.allocate(size));
      sizes.forEach((size, i) => store.release(blocks[i]!, size));
      if (round === 0) bytes = store.bytes;
    }
    expect(store.bytes).toBe(bytes);
  });

  test('a released block lets go of what its cells refer to', () => {
    const store = new EventStore(0), cells = store.addCells(), block = store.allocate(4);
    store.write(block + 1, 5, new Float64Array(0), [{ large: true }]);
    store.release(block, 4);
    expect(store.cellAt(block + 1, cells)).toBeUndefined();
  });

  test('presence is kept only from the first missing value on, and says present for those before', () => {
    const store = new EventStore(2), block = store.allocate(PAGE);
    store.write(block, 1, Float64Array.of(5, 0), []);
    expect(store.present).toEqual([undefined, undefined]);
    store.write(block + 1, 2, Float64Array.of(MISSING, 7), []);
    expect([store.present[1], store.numberAt(block, 0), store.numberAt(block + 1, 0), store.numberAt(block + 1, 1)]).toEqual([undefined, 5, undefined, 7]);
    store.write(block + 1, 2, Float64Array.of(8, 7), []); // the place is used again
    expect(store.numberAt(block + 1, 0)).toBe(8);
    for (let i = 0; i < 40; i++) store.write(store.allocate(PAGE), 3, Float64Array.of(1, 2), []); // grows
    expect(store.numberAt(block, 0)).toBe(5);
  });

  test('pages are linked both ways, and a fresh one to nothing', () => {
    const store = new EventStore(0), [a, b] = [store.allocate(PAGE), store.allocate(PAGE)];
    store.link(a, b);
    store.setLength(a, PAGE);
    expect([store.next(a), store.prev(b), store.lengthOf(a)]).toEqual([b, a, PAGE]);
    store.release(a, PAGE);
    expect([store.allocate(PAGE), store.next(a), store.prev(a)]).toEqual([a, -1, -1]);
  });

  test('-0 stands for what is missing, and nothing else does', () => {
    expect([MISSING, 0, NaN, -1, 5e-324].map(isMissing)).toEqual([true, false, false, false, false]);
  });
});
