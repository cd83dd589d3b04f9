import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { avg, count, first, max, min, preceding, range, rows, since, sliding, sum, type Frame } from '../src/index.ts';
import type { AnyMeasure } from '../src/measures/measure.ts';
import { startEngine } from './support/engines.ts';

const frames: Record<string, Frame | undefined> = {
  range: preceding(range(20)),
  shorter: preceding(range(7)),
  since: since(range(10)),
  sliding: sliding(range(12), range(5)),
  apart: sliding(range(3), range(8)),
  rows: preceding(rows(3)),
  lifetime: undefined,
};

/** Whole numbers, whose sums are exact in whatever order. */
function measuresOf(names: readonly string[]): AnyMeasure[] {
  return names.flatMap((name) =>
    [sum, count, avg, min, max].map((measure, i) => {
      const made = measure('v'), frame = frames[name];
      return (frame === undefined ? made : made.over(frame)).as(`${name} ${String(i)}`);
    }),
  );
}

const step = fc.record({
  key: fc.constantFrom('a', 'b'),
  /** How long after the one before, and how far the event is ahead of the clock. */
  after: fc.constantFrom(0, 1, 2, 5, 9, 30),
  ahead: fc.constantFrom(0, 0, 0, -4, -15, 3, 11),
  value: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(null)),
  evaluates: fc.boolean(),
  restarts: fc.nat(9).map((n) => n === 0),
});

const plan = fc.record({
  names: fc.uniqueArray(fc.constantFrom(...Object.keys(frames)), { minLength: 1, maxLength: 4 }),
  emit: fc.constantFrom('changed', 'every', 'none'),
  delay: fc.constantFrom(0, 3),
  hasOthers: fc.nat(4).map((n) => n === 0),
});

describe('query', () => {
  test('says what the windows hold once an evaluation has moved them there', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(plan, fc.array(step, { minLength: 1, maxLength: 20 }), ({ names, emit, delay, hasOthers }, steps) => {
        const measures = [...measuresOf(names), ...(hasOthers ? [first('v').over(frames['range']!).as('first')] : [])];
        const config = { partitionBy: 'k', orderBy: 't', measures, emit, frontierSpec: { delay } } as const;
        let engine = startEngine(config), now = 0;
        for (const { key, after, ahead, value, evaluates, restarts } of steps) {
          now += after;
          engine.push({ k: key, t: now + ahead, v: value }, now);
          if (evaluates) engine.advance(now);
          if (restarts) {
            const other = startEngine(config);
            other.restore(engine.snapshot());
            engine = other;
          }
          const part = engine.snapshot();
          for (const later of [20, 6, 0, 1, 4, 2]) {
            const judge = startEngine({ ...config, emit: 'none' }); // makes no rows: it reads its windows
            judge.restore(part);
            judge.advance(now + later);
            for (const k of ['a', 'b', 'c']) expect(engine.query({ k }, now + later)).toEqual(judge.query({ k }));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('reads the windows where the last row came from an engine that makes none', () => {
    const config = { partitionBy: 'k', orderBy: 't', measures: measuresOf(['range']) } as const;
    const silent = startEngine({ ...config, emit: 'none' }), engine = startEngine(config);
    silent.push({ k: 'a', t: 1, v: 5 }, 1);
    silent.advance(1);
    engine.restore(silent.snapshot());
    expect(engine.query({ k: 'a' })).toEqual(silent.query({ k: 'a' }));
    expect(engine.query({ k: 'a' })).toMatchObject({ 'range 0': 5, 'range 1': 1 });
  });

  test('gives a row of its own each time', () => {
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: measuresOf(['range']) });
    engine.push({ k: 'a', t: 1, v: 5 }, 1);
    engine.advance(1);
    const row = engine.query({ k: 'a' });
    row['range 0'] = 9;
    expect(engine.query({ k: 'a' })).toMatchObject({ k: 'a', __frontier: 1, 'range 0': 5 });
  });
});
