import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { countDistinct, mode, topK } from '../../src/aggregates/index.ts';
import { FrequencyOrder } from '../../src/aggregates/frequencyOrder.ts';
import { Occurrences } from '../../src/aggregates/occurrences.ts';
import { naiveAnswer } from '../../src/testing/naiveAnswer.ts';
import { random } from '../support/samples.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** So many values of a type, awkward ones among them. */
const columns: Readonly<Record<string, (i: number) => unknown>> = {
  numbers: (i) => [NaN, -0, Infinity, -Infinity, 0.5][i] ?? ((i * 7919) % 1009) / 4,
  bigints: (i) => 2n ** 53n + BigInt((i * 7919) % 1009),
  texts: (i) => ['', '\uD83D', '\uE000', '😀', 'value'][i] ?? `value ${(i * 7919) % 1009}`,
  dates: (i) => new Date(((i * 7919) % 1009) - 500),
};

/** What happens to a state: a value comes; the one that came first goes, or one of any age; or it is asked, once or often. */
type Step = readonly [what: 'in' | 'out' | 'ask' | 'ask often' | 'rest' | 'merge', which: number];
const step = fc.tuple(fc.constantFrom<Step[0]>('in', 'in', 'in', 'out', 'out', 'ask', 'ask', 'ask often', 'rest', 'merge'), fc.nat(1000));
const steps = fc.array(step, { minLength: 10, maxLength: 60, size: 'max' });

const aggregates = [mode, topK(1), topK(3), topK(1000), countDistinct];

/** The values of a state by what `Occurrences` once was, two plain maps of counts: what is written at rest goes by their order. */
class PlainCounts {
  private readonly values = new Map<unknown, number>();
  private readonly dates = new Map<number, number>();

  add(value: unknown, times: number): void {
    if (value instanceof Date) this.addTo(this.dates, value.getTime(), times);
    else this.addTo(this.values, value, times);
  }

  atRest(): unknown {
    return [[...this.values], [...this.dates]];
  }

  private addTo<T>(counts: Map<T, number>, value: T, times: number): void {
    const left = (counts.get(value) ?? 0) + times;
    if (left === 0) counts.delete(value);
    else counts.set(value, left);
  }
}

/** A state, and all that it should hold. */
class Course {
  state = new Occurrences();
  private readonly held: unknown[] = [];
  private readonly plain = new PlainCounts();
  private readonly valueOf: (i: number) => unknown;

  constructor(valueOf: (i: number) => unknown, distinct: number) {
    this.valueOf = valueOf;
    for (let i = 0; i < distinct; i++) this.comes(i);
  }

  comes(which: number): void {
    const value = this.valueOf(which);
    this.state.add(value, 1);
    this.plain.add(value, 1);
    this.held.push(value);
  }

  goes(at: number): void {
    if (this.held.length === 0) return;
    const [value] = this.held.splice(at % this.held.length, 1);
    this.state.add(value, -1);
    this.plain.add(value, -1);
  }

  take([what, which]: Step): void {
    if (what === 'in') this.comes(which);
    if (what === 'out') this.goes(which % 2 === 0 ? 0 : which);
    if (what === 'ask often') for (let i = 0; i < 8; i++) this.state.inOrder();
    if (what === 'rest') this.state = Occurrences.decode(structuredClone(this.state.encode()));
    if (what === 'merge') {
      const more = new Occurrences();
      for (let i = which; i < which + 5; i++) {
        more.add(this.valueOf(i % 100), 1);
        this.plain.add(this.valueOf(i % 100), 1);
        this.held.push(this.valueOf(i % 100));
      }
      this.state.merge(more);
    }
  }

  /** Its answers are what the definitions say; and it rests like plain counts. */
  check(): void {
    const events = this.held.map((value) => ({ time: 0, value }));
    for (const aggregate of aggregates) expect(aggregate.finish(this.state)).toEqual(naiveAnswer(aggregate as never, events));
    expect(this.state.encode()).toEqual(this.plain.atRest());
  }
}

describe.each(Object.entries(columns))('%s', (_, valueOf) => {
  test('answers are what the definitions say, however values come and go between them', { timeout: 60_000 }, () => {
    const inOrder = vi.spyOn(FrequencyOrder.prototype, 'firstOf'), changes = vi.spyOn(FrequencyOrder.prototype, 'update');
    fc.assert(
      fc.property(fc.nat(90), fc.boolean(), steps, (distinct, often, some) => {
        const course = new Course(valueOf, distinct);
        if (often) course.take(['ask often', 0]);
        for (const one of some) {
          course.take(one);
          if (one[0] === 'ask') course.check();
        }
        course.check();
      }),
      { numRuns: 60 },
    );
    expect(inOrder).toHaveBeenCalled();
    expect(changes).toHaveBeenCalled();
  });
});

// No column has them, but what has no order must not upset one that was kept: a state that goes by an order answers like one
// that never did. Of values that are neither before nor after each other the one that came first counts, or the last.
test('where values of several kinds meet, an order shows nowhere', () => {
  const mixed = (i: number): unknown => (i % 100 < 70 ? i % 70 : [true, new Date(3), 3n, 2.5, '3', NaN, 70n, 'a'][i % 8]);
  fc.assert(
    fc.property(fc.constantFrom(60, 100), steps, (distinct, some) => {
      const course = new Course(mixed, distinct);
      for (const one of [['ask often', 0], ['ask often', 0], ...some] as const) {
        course.take(one);
        const another = Occurrences.decode(course.state.encode());
        for (const aggregate of aggregates) expect(aggregate.finish(course.state)).toEqual(aggregate.finish(another));
      }
    }),
    { numRuns: 100 },
  );
});

describe('an order', () => {
  const made = (): boolean => state.inOrder() !== undefined;
  let state = new Occurrences();
  const fill = (distinct: number): void => {
    state = new Occurrences();
    for (let i = 0; i < distinct; i++) state.add(i, 1 + (i % 3));
  };
  const change = (times: number): void => {
    for (let i = 0; i < times; i++) state.add(i, 1);
  };
  /** Whether one is there after some answers with so many changes before each. */
  const isMade = (answers: number, changes: number): boolean => {
    for (let i = 1; i < answers; i++) {
      change(changes);
      made();
    }
    change(changes);
    return made();
  };

  test('is made where answers follow each other, and given up where much comes between', () => {
    fill(1000);
    expect(isMade(7, 10)).toBe(false);
    fill(1000);
    expect(isMade(12, 10)).toBe(true);
    expect(isMade(100, 40)).toBe(true);
    expect(isMade(1, 50)).toBe(false);
    expect(isMade(100, 50)).toBe(false);
  });

  test('takes a zero in that comes later as 0, whatever its sign', () => {
    fill(1000);
    state.add(0, -1);
    expect(isMade(12, 0)).toBe(true);
    state.add(-0, 9);
    expect(mode.finish(state)).toBe(0);
    expect(topK(1).finish(state)).toStrictEqual([{ value: 0, count: 9 }]);
  });

  test('is not made of few values, which are looked at in no time', () => {
    fill(40);
    expect(isMade(100, 1)).toBe(false);
    fill(10);
    expect(isMade(100, 0)).toBe(false);
  });

  test('has nothing to do with answers that nobody asks for: many values come at the cost of counting', () => {
    const insert = vi.spyOn(FrequencyOrder.prototype, 'insert');
    fill(1000);
    change(100_000);
    expect(made()).toBe(false);
    expect(insert).not.toHaveBeenCalled();
  });
});

describe('room that many values took is given back', () => {
  const roomOf = (state: Occurrences): number => (state as unknown as { counts: unknown[] }).counts.length;
  const expectSame = (state: Occurrences): void => expect(topK(3).finish(state)).toEqual(topK(3).finish(Occurrences.decode(state.encode())));

  test('when they are gone', () => {
    const state = new Occurrences(), draw = random(3);
    for (let i = 0; i < 10_000; i++) state.add(i, 1);
    for (let i = 0; i < 9_900; i++) state.add(i, -1);
    expect(roomOf(state)).toBeLessThan(500);
    for (let i = 0; i < 100; i++) state.add(9_900 + Math.floor(100 * draw()), 1);
    expectSame(state);
    expect(state.size).toBe(100);
  });

  test('while they go, too, and answers are asked for', () => {
    const state = new Occurrences();
    for (let i = 0; i < 2_000; i++) state.add(i % 2 === 0 ? i : new Date(i), 1);
    for (let i = 1; i < 2_000; i += 2) state.add(new Date(i), -1);
    for (let i = 0; i < 1_900; i += 2) {
      state.add(i, -1);
      expectSame(state);
    }
    expect(roomOf(state)).toBeLessThan(500);
  });
});
