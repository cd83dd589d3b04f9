import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { count, eventTime, microBatch, preceding, range, realTime, rollingBatches, type OperatorOptions } from '../../operators/index.ts';
import { manualScheduler } from '../../operators/testing/index.ts';
import type { AnyEngineConfig, Dropped } from '../../src/config.ts';
import { naiveEngine } from '../../src/testing/naive.ts';
import type { AnyEngine, Columns } from '../support/duel.ts';
import { startEngine } from '../support/engines.ts';
import { FakeStore, settled } from '../support/fakeStore.ts';

/**
 * The operator against the letter of the rules: a world that passes in quarters of a millisecond, in which somebody
 * asks at each of them whether an evaluation is due, and does it with the naive engine. No timer, no sleep, no skipping.
 */
const quarter = 0.25;
const interval = 5;
const idleAfter = 6;

interface Setting {
  readonly start: number;
  readonly delay: number;
  readonly watermark: number | undefined;
  readonly lifetime: boolean;
  readonly emit: 'changed' | 'every' | 'none';
}

/** After a wait in quarters: an event of a key, its time so many quarters beside the scheduler's; or something else. */
type Step = readonly [wait: number, what: 'a' | 'b' | 'c' | 'invalid' | 'flush' | 'restart', offset: number];

/** A trigger and a clock in a world whose time is `s`. */
interface Rules {
  /** The evaluation that is due by itself: its reading. */
  due(s: number, boundary: number | undefined): number | undefined;
  /** The reading at which an event arrives, and that of the evaluation which closes the batch before it. */
  arrival(s: number, t: number): readonly [arrival: number, closes?: number];
  readonly perEvent: boolean;
  reading(s: number): number;
  last(s: number): number;
  /** The clock stands still between events: what was open at a restart waits for the next one. */
  readonly standsStill?: boolean;
  /** A subscription begins, over an engine that was restored. Absent: what the clock showed in silence is lost then. */
  readonly restart?: (s: number) => void;
}

/** The last multiple of the interval since an origin. */
const gridAt = (origin: number, reading: number): number => origin + Math.floor((reading - origin) / interval) * interval;
const ifReached = (reading: number, boundary: number | undefined): number | undefined => (boundary !== undefined && boundary <= reading ? reading : undefined);

const processing = { reading: (s: number) => s, last: (s: number) => s, arrival: (s: number) => [s] as const };

const realTimeRules = (): Rules => ({ ...processing, due: ifReached, perEvent: true, restart: () => undefined });

function microBatchRules({ start }: Setting): Rules {
  let origin = start;
  return { ...processing, due: (s) => (s > origin && gridAt(origin, s) === s ? s : undefined), perEvent: false, restart: (s) => (origin = s) };
}

/** The clock of the events: the largest time, which runs on in silence. */
function eventClock({ start, delay }: Setting, silence: number) {
  let seen = -Infinity, largest = -Infinity, heard = start;
  const reading = (s: number): number => seen + Math.max(0, s - heard - silence);
  return {
    reading,
    last: (s: number) => Math.max(reading(s), largest + delay),
    hear(s: number, t: number): number {
      if (!Number.isNaN(t)) largest = Math.max(largest, t);
      seen = Math.max(reading(s), largest);
      heard = s;
      return seen;
    },
    ...(silence === Infinity ? { restart: () => undefined } : {}),
  };
}

function realTimeByEvents(setting: Setting, silence = Infinity): Rules {
  const clock = eventClock(setting, silence);
  return { ...clock, due: (s, boundary) => ifReached(clock.reading(s), boundary), arrival: (s, t) => [clock.hear(s, t)], perEvent: true };
}

function microBatchByEvents(setting: Setting, silence = Infinity): Rules {
  const clock = eventClock(setting, silence);
  let passed = -Infinity;
  /** The multiple that the clock has just passed. The first one that it shows closes nothing. */
  const passes = (reading: number): number | undefined => {
    const before = passed;
    passed = Math.max(passed, gridAt(0, reading));
    return before > -Infinity && passed > before ? passed : undefined;
  };
  const arrival = (s: number, t: number): readonly [number, number?] => {
    const now = clock.hear(s, t), closes = passes(now);
    return closes === undefined ? [now] : [now, closes];
  };
  return { ...clock, due: (s) => passes(clock.reading(s)), arrival, perEvent: false };
}

/** Each restart goes on in the other mode, over the same clock. */
function inTurns(rules: readonly Rules[], first: number): Rules {
  let at = first;
  const now = (): Rules => rules[at]!;
  return {
    due: (s, boundary) => now().due(s, boundary),
    arrival: (s, t) => now().arrival(s, t),
    reading: (s) => now().reading(s),
    last: (s) => now().last(s),
    get perEvent() {
      return now().perEvent;
    },
    restart(s) {
      at = 1 - at;
      now().restart!(s);
    },
  };
}

function byEventsInTurns(first: number): (setting: Setting) => Rules {
  return (setting) => {
    const batches = microBatchByEvents(setting);
    // The multiples that pass in real time are passed in micro-batches too, where they close nothing more.
    const single: Rules = { ...batches, due: () => undefined, arrival: (s, t) => [batches.arrival(s, t)[0]], perEvent: true };
    return Object.assign(inTurns([single, batches], first), { standsStill: true });
  };
}

/** The options of each subscription in turn, and the rules. */
const drivers: Record<string, readonly [OperatorOptions | readonly OperatorOptions[], (setting: Setting) => Rules]> = {
  'real time': [{ trigger: realTime() }, realTimeRules],
  'micro-batch': [{ trigger: microBatch(interval) }, microBatchRules],
  'real time, then micro-batch, and so on': [[{ trigger: realTime() }, { trigger: microBatch(interval) }], (setting) => inTurns([realTimeRules(), microBatchRules(setting)], 0)],
  'micro-batch, then real time, and so on': [[{ trigger: microBatch(interval) }, { trigger: realTime() }], (setting) => inTurns([realTimeRules(), microBatchRules(setting)], 1)],
  'real time, then micro-batch by events': [[{ trigger: realTime(), clock: eventTime() }, { trigger: microBatch(interval), clock: eventTime() }], byEventsInTurns(0)],
  'micro-batch, then real time by events': [[{ trigger: microBatch(interval), clock: eventTime() }, { trigger: realTime(), clock: eventTime() }], byEventsInTurns(1)],
  'real time by events': [{ trigger: realTime(), clock: eventTime() }, realTimeByEvents],
  'micro-batch by events': [{ trigger: microBatch(interval), clock: eventTime() }, microBatchByEvents],
  'real time by events, running on': [{ trigger: realTime(), clock: eventTime({ idleAfter }) }, (setting) => realTimeByEvents(setting, idleAfter)],
  'micro-batch by events, running on': [{ trigger: microBatch(interval), clock: eventTime({ idleAfter }) }, (setting) => microBatchByEvents(setting, idleAfter)],
};

/** What happens, in an order that both sides share. */
class Log {
  readonly lines: string[] = [];
  readonly dropped = { next: ({ reason, eventTime, watermark }: Dropped<never>): unknown => this.lines.push(`${reason} ${eventTime} W ${watermark}`) };

  batch(frontier: number, rows: readonly unknown[], removed: readonly unknown[]): void {
    const sorted = (list: readonly unknown[]): string[] => list.map((item) => JSON.stringify(item)).sort();
    if (rows.length + removed.length > 0) this.lines.push(`F ${frontier}`, ...sorted(rows), 'removed', ...sorted(removed));
  }
}

/** `perEvent`: some trigger evaluates after each event, which is no rhythm for every row. */
const configOf = ({ delay, watermark, lifetime, emit }: Setting, perEvent: boolean, { dropped }: Log): AnyEngineConfig => ({
  partitionBy: 'k',
  orderBy: 't',
  frontierSpec: { delay },
  watermark,
  emit: perEvent && emit === 'every' ? 'changed' : emit,
  measures: [count().over(preceding(range(8))).as('n'), count().over(preceding(range(3.5))).as('m'), ...(lifetime ? [count().as('all')] : [])],
  dropped,
});

const eventOf = (what: string, s: number, offset: number): { k: string; t: number } => (what === 'invalid' ? { k: 'a', t: NaN } : { k: what, t: s + offset * quarter });

function byTheRules(setting: Setting, rules: Rules, perEvent: boolean, steps: readonly Step[]): string[] {
  const log = new Log();
  const naive = naiveEngine<Columns>()(configOf(setting, perEvent, log));
  let s = setting.start;
  /** An event counts and no row says so yet: a batch that was open at a restart. */
  const batch = { isOpen: false };
  const evaluate = (now: number | undefined): void => {
    if (now === undefined || now === -Infinity) return;
    batch.isOpen = false;
    const rows = naive.advance(now);
    log.batch(naive.frontier, rows, naive.removed);
  };
  const look = (): void => evaluate(rules.due(s, naive.nextBoundary()));
  const take = (event: { k: string; t: number }): void => {
    const [now, closes] = rules.arrival(s, event.t);
    evaluate(closes);
    if (naive.push(event, now) === 'counted') batch.isOpen = true;
    if (rules.perEvent) evaluate(now);
  };

  for (const [wait, what, offset] of steps) {
    if (what === 'restart') {
      s += wait * quarter;
      rules.restart?.(s);
      if (batch.isOpen && rules.perEvent && rules.standsStill !== true) evaluate(rules.reading(s));
      else look();
      continue;
    }
    for (let i = 0; i < wait; i++) {
      s += quarter;
      look();
    }
    if (what === 'flush') evaluate(rules.reading(s));
    else take(eventOf(what, s, offset));
  }
  evaluate(rules.last(s));
  return log.lines;
}

/** How a restarted engine comes to its state: by hand, from a store that answers at once, or from one that takes a while. */
type Restart = 'by hand' | 'from a store' | 'from a slow store';

async function byTheOperator(setting: Setting, inTurn: readonly OperatorOptions[], perEvent: boolean, steps: readonly Step[], restart: Restart): Promise<string[]> {
  const log = new Log();
  const store = new FakeStore();
  const checkpoint = restart === 'by hand' ? undefined : { store, every: 40 };
  let answer: (() => void) | undefined, stepsToAnswer = 0;
  const answered = async (): Promise<void> => {
    answer?.();
    answer = undefined;
    await settled();
  };
  const scheduler = manualScheduler(setting.start);
  const events$ = new Subject<Columns>(), flush$ = new Subject<void>();
  const open = (): AnyEngine => startEngine(configOf(setting, perEvent, log));
  let subscriptions = 0;
  const drive = () => events$.pipe(rollingBatches(engine, { ...inTurn[subscriptions++ % inTurn.length], scheduler, flush$, checkpoint })).subscribe(({ frontier, rows, removed }) => log.batch(frontier, rows, removed));
  let engine = open();
  let subscription = drive();

  for (const [wait, what, offset] of steps) {
    if (stepsToAnswer-- === 0) await answered();
    if (what === 'restart') {
      await answered();
      subscription.unsubscribe();
      store.parts = [engine.snapshot()];
      engine = open();
      if (restart === 'by hand') engine.restore(store.parts[0]!);
      if (restart === 'from a slow store') {
        store.onLoad = () => new Promise((resolve) => (answer = () => resolve(store.stored)));
        stepsToAnswer = Math.abs(offset) % 5;
      }
      scheduler.advanceBy(wait * quarter);
      subscription = drive();
      scheduler.advanceBy(0);
      continue;
    }
    scheduler.advanceBy(wait * quarter);
    if (what === 'flush') flush$.next();
    else events$.next(eventOf(what, scheduler.now(), offset));
  }
  events$.complete();
  await answered();
  await settled();
  expect(scheduler.timers).toBe(0);
  return log.lines;
}

// No times near 0: where doubles grow finer from a time to its boundary, that lies a hair before the quarter.
const settings: fc.Arbitrary<Setting> = fc.record({
  start: fc.constantFrom(31, 1000.25, 1.7e12 + 3),
  delay: fc.constantFrom(0, 0, 1.75, 12),
  watermark: fc.constantFrom(undefined, 0, 2.5, 30),
  lifetime: fc.boolean(),
  emit: fc.constantFrom('changed', 'changed', 'every', 'none'),
});
const restarts: fc.Arbitrary<Restart> = fc.constantFrom('by hand', 'from a store', 'from a slow store', 'from a slow store');
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: fc.nat(4) }, { weight: 3, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(200) }),
  fc.constantFrom('a', 'a', 'a', 'b', 'b', 'c', 'invalid', 'flush', 'restart'),
  fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -12, max: 2 }) }, { weight: 1, arbitrary: fc.integer({ min: -120, max: 80 }) }),
);

it.each(Object.entries(drivers))('gives what an evaluation at each due instant gives: %s', { timeout: 60_000 }, async (_, [options, rulesOf]) => {
  const check = async (setting: Setting, drawn: readonly Step[], restart: Restart): Promise<void> => {
    const rules = rulesOf(setting), inTurn = [options].flat(), perEvent = inTurn.length > 1 || rules.perEvent;
    const steps = drawn.filter(([, what]) => what !== 'restart' || rules.restart);
    expect(await byTheOperator(setting, inTurn, perEvent, steps, restart)).toEqual(byTheRules(setting, rules, perEvent, steps));
  };
  await fc.assert(fc.asyncProperty(settings, fc.array(step, { maxLength: 25, size: 'max' }), restarts, check), { numRuns: 400 });
});
