import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../src/internals.ts';
import { count, createEngine, preceding, range, sum } from '../../src/index.ts';

interface Event {
  readonly k: string;
  readonly t: number;
  readonly v: number;
}
const start = () => createEngine<Event>()({ partitionBy: 'k', orderBy: 't', measures: [sum('v').over(preceding(range(100))), count().over(preceding(range(100))).as('n')] });
type Engine = ReturnType<typeof start>;

/** More keys than one slice takes. */
const CROWD = 9000;

function come(engine: Engine, t: number, isHere: (k: number) => boolean): void {
  for (let k = 0; k < CROWD; k++) if (isHere(k)) engine.push({ k: `k${k}`, t, v: k }, t);
  engine.advance(t);
}

function expectSame(restored: Engine, engine: Engine): void {
  expect({ ...restored.stats, bytes: 0 }).toEqual({ ...engine.stats, bytes: 0 });
  for (let k = 0; k < CROWD; k += 7) expect(restored.query({ k: `k${k}` })).toEqual(engine.query({ k: `k${k}` }));
  const left = (one: Engine): string[] => {
    const rows = one.advance(2000);
    expect(rows).toHaveLength(one.removed.length);
    return rows.map(({ k }) => k).toSorted();
  };
  expect(left(restored)).toEqual(left(engine));
}

describe('a crowd that goes, and of which some come back', () => {
  const isBack = (k: number): boolean => k % 5 !== 0;

  test('is in the delta as it is, in however many slices', () => {
    const engine = start(), restored = start();
    come(engine, 1, () => true);
    const base = engine.snapshot();
    engine.advance(500);
    come(engine, 600, isBack);
    restored.restore([base, engine.snapshot({ delta: true })]);
    expectSame(restored, engine);
  });

  test('is in a base in steps as it is at its finish', () => {
    const engine = start(), restored = start();
    come(engine, 1, () => true);
    const base = internalsOf(engine).startPart!({ delta: false });
    while (base.step());
    engine.advance(500);
    come(engine, 600, isBack);
    restored.restore(base.finish());
    expectSame(restored, engine);
  });
});
