import type { AnyEngineConfig } from '../../src/config.ts';
import { internalsOf } from '../../src/internals.ts';
import { approxCountDistinct, approxPercentile, collect, corr, count, ema, first, isoTime, max, mode, preceding, range, since, stddev, sum, topK } from '../../src/index.ts';
import { naiveEngine } from '../../src/testing/naive.ts';
import type { AnyEngine, Columns } from './duel.ts';
import { startEngine } from './engines.ts';

/** A plan, what happens to it up to a snapshot in parts, and the events after it. */
interface FormatPlan {
  readonly config: AnyEngineConfig;
  readonly event: (i: number) => Columns;
}
const over = (length: number) => preceding(range(length));
const odd = [NaN, Infinity, -0, 5e-324, 1e300, 0.1, null, 7];
const keys = ['a', 1, '1', null, NaN, 5n, true, new Date(3), '\uD800', '__proto__'];

/** The plans of the golden file. Never changed: what was written with them must be read. */
export const formatPlans: Readonly<Record<string, FormatPlan>> = {
  numbers: {
    config: { partitionBy: 'k', orderBy: 't', watermark: 50, measures: [sum('v').over(over(30)), count(), max('v').over(over(12)).as('max'), stddev('v').over(over(30)).as('stddev'), sum('v').filter((event: { f: boolean }) => event.f).as('filtered')] },
    event: (i) => ({ k: keys[i % keys.length], t: 1_790_000_000_000 + i - ((i * 7) % 5) / 2, v: odd[(i * 3) % odd.length], f: i % 2 === 0 }),
  },
  values: {
    config: { partitionBy: ['k', 'l'], orderBy: 't', time: isoTime, frontierSpec: { delay: 4 }, limits: { maxKeys: 5, onLimit: 'evict-idle' }, position: ((event: { p: string; i: number }) => [event.p, BigInt(event.i)]) as never, measures: [first('x').over(over(30)), max('x'), mode('x').over(over(20)), topK('x', 2).as('top'), collect('x', 3).over(since(range(25))).as('list')] },
    event: (i) => ({ k: i % 3, l: i % 2, t: new Date(1_790_000_000_000 + i).toISOString(), x: ['b', 'a', '\u{1F600}', null][i % 4], p: `p${i % 2}`, i }),
  },
  sketches: {
    config: { partitionBy: [], orderBy: 't', measures: [approxPercentile('v', [0.5, 0.9]).as('ever'), approxPercentile('v', 0.5).over(over(40)).as('lately'), approxCountDistinct('v').as('distinct'), ema('v', 10).over(over(40)).as('ema'), corr('v', 'w').as('corr')] },
    event: (i) => ({ t: i, v: (i * 37) % 101, w: i % 9 }),
  },
};

const start = 1_790_000_000_000;
const readingOf = (name: string, i: number): number => (name === 'sketches' ? i : start + i);

function live(engine: AnyEngine, name: string, from: number, to: number): Columns[] {
  const rows: Columns[] = [];
  for (let i = from; i < to; i++) {
    engine.push(formatPlans[name]!.event(i), readingOf(name, i));
    if (i % 3 === 0) rows.push(...engine.advance(readingOf(name, i)));
  }
  return rows;
}

/** A base that was taken in steps, and a delta. */
export function partsOf(name: string): Uint8Array[] {
  const engine = startEngine(formatPlans[name]!.config);
  live(engine, name, 0, 40);
  const steps = internalsOf(engine).startPart!({ delta: false });
  steps.step();
  live(engine, name, 40, 55);
  const base = steps.finish();
  live(engine, name, 55, 70);
  return [base, engine.snapshot({ delta: true })];
}

/** What comes of parts: the rows of some time after the restore. */
export function rowsAfter(name: string, parts: readonly Uint8Array[]): Columns[] {
  const engine = startEngine(formatPlans[name]!.config);
  engine.restore(parts);
  return [...live(engine, name, 70, 110), ...engine.advance(readingOf(name, 10_000))];
}

/** The same by the naive engine, which lives through all of it. */
export function rowsByTheRules(name: string): Columns[] {
  const engine = naiveEngine<Columns>()(formatPlans[name]!.config);
  live(engine, name, 0, 70);
  return [...live(engine, name, 70, 110), ...engine.advance(readingOf(name, 10_000))];
}
