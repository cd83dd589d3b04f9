import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyEngineConfig } from '../../src/config.ts';
import { SnapshotError } from '../../src/errors.ts';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import { describeSnapshot } from '../../src/checkpoint/describeSnapshot.ts';
import { naiveEngine } from '../../src/testing/naive.ts';
import { measureOf, type FrameText } from '../support/caseMeasures.ts';
import type { AnyEngine, Columns } from '../support/duel.ts';
import { startEngine } from '../support/engines.ts';

/*
 * Plans that change at restores, in courses of events: the naive engine is given every event from the beginning under the
 * plan of the moment, so it knows what a window holds whoever had to keep it. A restore is refused by name, or everything
 * that it does not call unfinished is what the naive engine says.
 */

/** What measures there are. A name means the same in every plan, but for its frame; over a lifetime, what is joined is another aggregate, and a percentile comes from a sketch. */
const pool: readonly (readonly [spec: string, column: string, filtered?: true])[] = [
  ['sum', 'v'], ['count', 'v'], ['countAll', 'v'], ['max', 'v'], ['avg', 'w'], ['min', 'w'], ['joined', 'v'], ['pct:1/2', 'w'],
  ['last', 'v'], ['mode', 'w'], ['distinct', 'v'], ['evens', 'v'], ['sum', 'v', true], ['count', 'w', true], ['count', 'w'], ['lastThree', 'v'],
];
const frames: readonly FrameText[] = [7, 20, 20, 60, 60, null, -20, '3 rows', '5 rows', '20 every 7', '10 every 10'];
const values = [1, 2, 3, -1, -2.5, 0.5, 10.25, 7, 0, 100, null, undefined];
const keys = ['a', 'b', 'c'];

type Plan = readonly (readonly [number: number, frame: FrameText])[];
type Operation =
  | readonly ['push', moved: number, key: number, beside: number, v: number, w: number, filtered: boolean]
  | readonly ['advance', moved: number]
  | readonly ['save']
  | readonly ['change', Plan, allowWarmUp: boolean, dropRemoved: boolean];
interface Setting {
  readonly plan: Plan;
  readonly delay: number;
  readonly watermark: number | undefined;
  readonly closed: 'right' | 'both';
  readonly emit: 'changed' | 'every';
  /** An evaluation after each event. */
  readonly realTime: boolean;
}

const nameOf = (number: number): string => `${pool[number]!.slice(0, 2).join(' ')} ${number}`;

function measuresOf(plan: Plan): AnyMeasure[] {
  return plan.map(([number, frame]) => {
    const [spec, column, filtered] = pool[number]!;
    return measureOf(nameOf(number), spec, column, frame, filtered && ((event) => event['f'] === true));
  });
}

const isOfTime = (frame: FrameText): boolean => frame !== null && !(typeof frame === 'string' && frame.endsWith('rows'));

/** What the table of changed plans promises for the first change: ranges, no longer than the longest that is kept, of a column that a range keeps. */
function mustBeTaken(before: Plan, after: Plan, dropRemoved: boolean): boolean {
  const frameOf = new Map(before), stays = new Set(after.map(([number]) => number));
  const ranges = before.filter(([, frame]) => typeof frame === 'number' && frame > 0), longest = Math.max(0, ...ranges.map(([, frame]) => frame as number));
  const isAnother = (number: number): boolean => ['joined', 'pct:1/2'].includes(pool[number]![0]) && frameOf.get(number) === null;
  const keeps = (column: string): boolean => ranges.some(([number]) => pool[number]![1] === column && !pool[number]![2] && !pool[number]![0].startsWith("count"));
  return (
    (dropRemoved || before.every(([number]) => stays.has(number))) &&
    after.every(([number, frame]) => frameOf.get(number) === frame || (!isAnother(number) && typeof frame === 'number' && frame > 0 && frame <= longest && !pool[number]![2] && (pool[number]![0] === 'countAll' || keeps(pool[number]![1]))))
  );
}

const counts = { taken: 0, refused: 0, promised: 0, warm: 0, rows: 0 };

function run(setting: Setting, course: readonly Operation[]): void {
  const log: ((engine: AnyEngine) => unknown)[] = [];
  let { plan } = setting, now = 1000, changes = 0;
  const configOf = (): AnyEngineConfig => ({
    partitionBy: 'k', orderBy: 't', frontierSpec: { delay: setting.delay }, watermark: setting.watermark, closed: setting.closed, emit: setting.emit, measures: measuresOf(plan),
  });
  let engine = startEngine(configOf()), naive = naiveEngine<Columns>()(configOf()), parts: Uint8Array[] = [];
  /** Lifetimes and rows that began with a restore; and windows of time that may not be whole until rows say no more that they are not. */
  let begun = new Set<string>(), young = new Set<string>();
  let shown = new Map<string, Columns>();

  const save = (): void => {
    const part = engine.snapshot({ delta: parts.length > 0 });
    parts = describeSnapshot(part).base ? [part] : [...parts, part];
  };
  const whole = (row: Columns): Columns => Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'warmUntil' && !begun.has(column) && !('warmUntil' in row && young.has(column))));
  const of = (columns: readonly string[], row: Columns): Columns => Object.fromEntries(columns.map((column) => [column, row[column]]));

  const compare = (): void => {
    for (const k of keys) {
      const row = whole(engine.query({ k }));
      same(`${k} at ${now}`, row, of(Object.keys(row), naive.query({ k })));
    }
    if (!('warmUntil' in engine.query({ k: 'a' }))) young = new Set();
  };
  const compareCounts = (): void => {
    const of = ({ frontier, watermark, position, stats: { held, late } }: AnyEngine): unknown => [frontier, watermark, position.events, held, late];
    same('what was counted', of(engine), of(naive));
  };
  const advance = (): void => {
    const before = engine.stats.keys, rows = engine.advance(now);
    naive.advance(now);
    log.push(((at) => (one) => one.advance(at))(now));
    expect(before - engine.stats.keys, 'keys that were removed').toBe(engine.removed.length);
    if (begun.size === 0 && young.size === 0) expect(engine.stats.keys, 'keys').toBe(naive.stats.keys);
    for (const row of rows) {
      const k = row['k'] as string, earlier = shown.get(k), measures = plan.map(([number]) => nameOf(number));
      if (earlier && setting.emit === 'changed' && isDeepStrictEqual(of(measures, row), of(measures, earlier))) expect.unreachable(`a row of ${k} that says nothing new`);
      shown.set(k, row);
      counts.rows += 1;
    }
    for (const k of keys) {
      const row = shown.get(k);
      if (row === undefined) continue;
      const said = Object.keys(whole(engine.query({ k }))).filter((column) => column !== '__frontier');
      same(`what the last row of ${k} says`, of(said, row), of(said, naive.query({ k })));
    }
    for (const { k } of engine.removed) shown.delete(k as string);
    compare();
  };
  const change = ([, next, allowWarmUp, dropRemoved]: readonly ['change', Plan, boolean, boolean]): void => {
    save();
    const before = plan, promised = changes === 0 && mustBeTaken(before, next, dropRemoved);
    plan = next;
    const other = startEngine(configOf());
    try {
      other.restore(parts, { allowWarmUp, dropRemoved });
    } catch (error) {
      expect(error).toBeInstanceOf(SnapshotError);
      expect(error).toHaveProperty('code', 'snapshot-plan-changed');
      expect(promised, 'was to be taken').toBe(false);
      counts.refused += 1;
      plan = before;
      return;
    }
    if (!dropRemoved) expect(before.every(([number]) => next.some(([other]) => other === number))).toBe(true);
    changes += 1;
    counts.taken += 1;
    if (promised) counts.promised += 1;
    engine = other;
    parts = [];
    naive = naiveEngine<Columns>()(configOf());
    for (const step of log) step(naive);
    const frameOf = new Map(before);
    const others = next.filter(([number, frame]) => frameOf.get(number) !== frame);
    const named = new Set(next.map(([number]) => nameOf(number))), again = new Set(others.map(([number]) => nameOf(number)));
    const stays = (names: ReadonlySet<string>): string[] => [...names].filter((name) => named.has(name) && !again.has(name));
    const added = (ofTime: boolean): string[] => (allowWarmUp ? others.filter(([, frame]) => isOfTime(frame) === ofTime).map(([number]) => nameOf(number)) : []);
    begun = new Set([...stays(begun), ...added(false)]);
    young = new Set([...stays(young), ...added(true)]);
    if (allowWarmUp && 'warmUntil' in engine.query({ k: 'a' })) counts.warm += 1;
    // What was not in rows before counts as having been empty.
    const nothing = startEngine(configOf()).query({ k: 'nobody' });
    shown = new Map([...shown].map(([k, row]) => [k, { ...nothing, ...of(Object.keys(row).filter((column) => named.has(column)), row), k }]));
    compare();
  };

  for (const operation of course) {
    switch (operation[0]) {
      case 'push': {
        const [, moved, key, beside, v, w, filtered] = operation;
        now += moved;
        const event = { k: keys[key], t: now + beside, v: values[v], w: values[w], f: filtered }, at = now;
        expect(engine.push(event, now)).toBe(naive.push(event, now));
        log.push((one) => one.push(event, at));
        if (setting.realTime) advance();
        break;
      }
      case 'advance':
        now += operation[1];
        advance();
        break;
      case 'save':
        save();
        break;
      case 'change':
        change(operation);
        break;
    }
    compareCounts();
  }
  now += 1000;
  advance();
}

function same(what: string, given: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(given, expected)) expect(given, what).toEqual(expected);
}

const plans: fc.Arbitrary<Plan> = fc.uniqueArray(fc.tuple(fc.nat(pool.length - 1), fc.constantFrom(...frames)), { selector: ([number]) => number, minLength: 1, maxLength: 6, size: 'max' });
const settings: fc.Arbitrary<Setting> = fc.record({
  plan: plans,
  delay: fc.constantFrom(0, 0, 3),
  watermark: fc.constantFrom(undefined, 5, 25),
  closed: fc.constantFrom('right', 'right', 'both'),
  emit: fc.constantFrom('changed', 'changed', 'changed', 'every'),
  realTime: fc.boolean(),
});
const moved = fc.oneof({ weight: 12, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(120) });
const push = fc.tuple(fc.constant('push' as const), moved, fc.nat(2), fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -6, max: 2 }) }, { weight: 1, arbitrary: fc.integer({ min: -75, max: 15 }) }), fc.nat(values.length - 1), fc.nat(values.length - 1), fc.boolean());

/** A plan that is near to another one, as those of a program's versions are: some measures go, some come, in another order. */
const next = fc.tuple(plans, fc.array(fc.nat(7), { minLength: 0, maxLength: 2 }), fc.boolean());
const courses = (first: Plan): fc.Arbitrary<Operation[]> =>
  fc.array(
    fc.oneof(
      { weight: 20, arbitrary: push },
      { weight: 6, arbitrary: fc.tuple(fc.constant('advance' as const), moved) },
      { weight: 1, arbitrary: fc.constant<Operation>(['save']) },
      {
        weight: 3,
        arbitrary: fc.tuple(next, fc.boolean(), fc.nat(4)).map(([[drawn, without, reversed], allowWarmUp, drops]): Operation => {
          const kept = first.filter((_, i) => !without.includes(i)), added = drawn.slice(0, 2).filter(([number]) => !kept.some(([other]) => other === number));
          const plan = [...kept, ...added, ...(kept.length + added.length === 0 ? drawn.slice(0, 1) : [])];
          return ['change', reversed ? plan.reverse() : plan, allowWarmUp, drops > 0];
        }),
      },
    ),
    { minLength: 40, maxLength: 48, size: 'max' },
  );

test('a restore under another plan is refused, or gives what the naive engine says that has seen every event', { timeout: 300_000 }, () => {
  const numRuns = Number(process.env['COURSES'] ?? 600);
  fc.assert(fc.property(settings.chain((setting) => fc.tuple(fc.constant(setting), courses(setting.plan))), ([setting, course]) => run(setting, course)), { numRuns });
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(numRuns / 20);
});
