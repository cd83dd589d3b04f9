import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventStore, PAGE } from '../../src/windows/eventStore.ts';
import { HeldEvents } from '../../src/windows/heldEvents.ts';
import { heldOf, nextHeldOf } from '../../src/windows/heldOf.ts';

interface Held {
  readonly slot: number;
  readonly time: number;
  /** Its number, which is also its only value and its cell. */
  readonly arrival: number;
}

/** Held events beside a list of them, which is sorted whenever something leaves. */
class Pair {
  readonly store = new EventStore(1);
  readonly held = new HeldEvents(this.store);
  list: Held[] = [];
  private arrivals = 0;

  constructor(slots: number) {
    this.store.addCells();
    for (let slot = 0; slot < slots; slot++) this.held.open(slot);
  }

  add(slot: number, time: number): void {
    const arrival = this.arrivals++;
    this.held.add(slot, time, Float64Array.of(arrival), [arrival]);
    this.list.push({ slot, time, arrival });
  }

  drop(slot: number): void {
    this.held.drop(slot);
    this.list = this.list.filter((event) => event.slot !== slot);
    this.held.open(slot);
  }

  /** What leaves, from both. */
  release(instant: number): { from: Held[]; expected: Held[] } {
    const from: Held[] = [], expected = sorted(this.list).filter(({ time }) => time <= instant);
    this.held.releaseUntil(instant, (slot, position, count) => {
      for (let i = position; i < position + count; i++) from.push({ slot, ...this.at(i) });
    });
    this.list = this.list.filter(({ time }) => time > instant);
    return { from, expected };
  }

  at(position: number): { time: number; arrival: number } {
    const arrival = this.store.numberAt(position, 0)!;
    if (this.store.cellAt(position, 0) !== arrival) throw new Error('another cell');
    return { time: this.store.timeAt(position), arrival };
  }

  check(slots: number): void {
    const { held, list } = this, instants = list.map(({ time }) => time), inOrder: Held[] = [];
    held.forEachInOrder((slot, position) => inOrder.push({ slot, ...this.at(position) }));
    expect(text(inOrder)).toBe(text(sorted(list)));
    expect(held.count).toBe(list.length);
    expect(held.next()).toBe(Math.min(Infinity, ...instants));
    for (const instant of [-Infinity, ...instants.slice(0, 3)]) expect(held.countBeyond(instant)).toBe(instants.filter((time) => time > instant).length);
    for (let slot = 0; slot < slots; slot++) {
      const mine = sorted(list.filter((event) => event.slot === slot));
      expect(held.has(slot)).toBe(mine.length > 0);
      expect(nextHeldOf(held, slot)).toBe(mine[0]?.time ?? Infinity);
      expect(text(heldOf(held, slot).map((position) => ({ slot, ...this.at(position) })))).toBe(text(mine));
    }
  }
}

const sorted = (list: readonly Held[]): Held[] => list.toSorted((a, b) => a.time - b.time || a.arrival - b.arrival);

/** Thousands of events are compared: as text that is quick. */
const text = (list: readonly Held[]): string => list.map(({ slot, time, arrival }) => `${slot}@${time}#${arrival}`).join(' ');

describe('HeldEvents', () => {
  test('lets events go in order of (time, arrival), whatever came early, late or twice, and forgets those of dropped keys', () => {
    const slots = 3;
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('in order' as const), fc.nat(slots - 1), fc.integer({ min: 1, max: 80 })) },
      { weight: 4, arbitrary: fc.tuple(fc.constant('around' as const), fc.nat(slots - 1), fc.integer({ min: -12, max: 12 })) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('far ahead' as const), fc.nat(slots - 1), fc.integer({ min: 50, max: 400 })) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('release' as const), fc.nat(30), fc.constant(0)) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('drop' as const), fc.nat(slots - 1), fc.constant(0)) },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), (course) => {
        const pair = new Pair(slots);
        let frontier = 0, newest = 1;
        for (const [what, a, b] of course) {
          if (what === 'in order') for (let i = 0; i < b; i++) pair.add((a + (i >> 2)) % slots, (newest += i % 3 === 0 ? 1 : 0));
          else if (what === 'release') {
            frontier += a;
            const { from, expected } = pair.release(frontier);
            expect(text(from)).toBe(text(expected));
          } else if (what === 'drop') pair.drop(a);
          else pair.add(a, Math.max(frontier + 1, newest + b)); // held: later than the frontier
          newest = Math.max(newest, frontier + 1);
          pair.check(slots);
        }
        const { from, expected } = pair.release(Infinity);
        expect(text(from)).toBe(text(expected));
        pair.check(slots);
      }),
      { numRuns: 100 },
    );
  });

  test('where one is not taken, it is gone and those behind it are still there, on a page or at its end', () => {
    for (const failing of [0, 5, PAGE - 1, PAGE, 2 * PAGE - 1]) {
      const pair = new Pair(2 * PAGE), left: number[] = [];
      for (let i = 0; i < 2 * PAGE; i++) pair.add(i, i);
      const enter = (slot: number): void => {
        if (slot === failing) throw new Error('not taken');
        left.push(slot);
      };
      expect(() => pair.held.releaseUntil(Infinity, enter)).toThrow('not taken');
      expect(pair.held.next()).toBe(failing === 2 * PAGE - 1 ? Infinity : failing + 1);
      pair.held.releaseUntil(Infinity, enter);
      expect(left).toEqual(Array.from({ length: 2 * PAGE }, (_, i) => i).filter((slot) => slot !== failing));
      expect(pair.held.count).toBe(0);
    }
  });

  test('what is added while others leave is held, and leaves with them where it is due', () => {
    const pair = new Pair(2), left: number[] = [];
    for (let time = 1; time <= 3; time++) pair.add(0, time);
    pair.held.releaseUntil(5, (slot, position, count) => {
      for (let i = position; i < position + count; i++) left.push(pair.at(i).time);
      if (slot === 0) for (const time of [4, 6]) pair.add(1, time);
    });
    expect(left).toEqual([1, 2, 3, 4]);
    expect([pair.held.count, pair.held.next()]).toEqual([1, 6]);
  });

  test.each([PAGE - 1, PAGE, PAGE + 1, 3 * PAGE])('who asks while %i events leave finds what is still held, and moves nothing', (count) => {
    const pair = new Pair(4 * PAGE), left: number[] = [];
    for (let i = 0; i < count + 3; i++) pair.add(i, i);
    pair.held.releaseUntil(count - 1, (slot, position) => {
      left.push(pair.at(position).time);
      expect([pair.held.next(), pair.held.countBeyond(-1)]).toEqual([slot + 1 < count ? slot + 1 : count + 1, count + (slot === 0 ? 2 : 1) - slot]);
      pair.held.drop(count);
    });
    expect(left).toEqual(Array.from({ length: count }, (_, i) => i));
    expect([pair.held.count, pair.held.next()]).toEqual([2, count + 1]);
  });

  test('one event of a clock that is ahead does not send all others to the heap', () => {
    const pair = new Pair(1);
    pair.add(0, 1e9);
    for (let time = 1; time < 1000; time++) pair.add(0, time);
    expect((pair.held as unknown as { heap: { size: number } }).heap.size).toBe(1);
  });

  test('what a burst took is given back, and what is void does not pile up', () => {
    const pair = new Pair(2), { bytes } = pair.held;
    for (let time = 1; time < 50_000; time++) pair.add(0, time);
    pair.release(49_990);
    for (let time = 50_000; time < 50_010; time++) pair.add(0, time);
    pair.release(50_005);
    expect(pair.held.bytes).toBeLessThan(bytes + 4 * PAGE * 12);
    for (let time = 60_000; time < 160_000; time++) {
      pair.held.add(1, time, Float64Array.of(0), [0]);
      if (time % 10 === 0) pair.held.drop(1);
    }
    expect(pair.held.bytes).toBeLessThan(bytes + 100 * PAGE * 12);
  });
});
