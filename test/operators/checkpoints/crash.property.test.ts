import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { count, createEngine, eventTime, microBatch, preceding, range, realTime, rollingWindowFrom, sum, type Dropped } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { naiveEngine } from '../../../src/testing/naive.ts';
import { FakeStore, settled } from '../../support/fakeStore.ts';

interface Reading {
  readonly k: string;
  readonly t: number;
  readonly v: number;
}
type Mode = 'real time' | 'micro-batch';
/** The next events come, time passes, a save that waits is done, or the program dies and is started again in a mode. */
type Step = readonly ['next', number] | readonly ['wait', number] | readonly ['answer'] | readonly ['crash', Mode];
/** In which mode the events up to a position were taken in. */
type History = readonly { readonly mode: Mode; readonly to: number }[];

const interval = 5;
const config = {
  partitionBy: 'k',
  orderBy: 't',
  watermark: 12,
  frontierSpec: { delay: 2 },
  measures: [count().over(preceding(range(8))).as('n'), sum('v').over(preceding(range(20))), count().as('all')],
} as const;

/** What somebody sees of a run: its rows, and the events that it dropped. */
function logOf() {
  const lines: string[] = [];
  return { lines, row: (row: unknown) => lines.push(JSON.stringify(row)), dropped: { next: ({ reason, eventTime: t }: Dropped<Reading>) => void lines.push(`${reason} ${t}`) } };
}

/** By the rules: the events up to where the run began, as they were taken in, then those that it was given. */
function byTheRules(events: readonly Reading[], history: History, mode: Mode, given: number, completes: boolean): string[] {
  const { lines, row, dropped } = logOf();
  const naive = naiveEngine<Reading>()({ ...config, dropped });
  let seen = -Infinity;
  // Rows of one evaluation have no order.
  const evaluate = (now: number): void => naive.advance(now).map((one) => JSON.stringify(one)).sort().forEach((text) => row(JSON.parse(text)));
  const take = (until: number, from: number, by: Mode): void => {
    for (const event of events.slice(from, until)) {
      const before = seen, tick = Math.floor(Math.max(seen, event.t) / interval) * interval;
      seen = Math.max(seen, event.t);
      if (by === 'micro-batch' && before > -Infinity && tick > before) evaluate(tick);
      naive.push(event, seen);
      if (by === 'real time') evaluate(seen);
    }
  };
  let at = 0;
  for (const { mode: by, to } of history) {
    take(to, at, by);
    at = to;
  }
  lines.length = 0;
  take(at + given, at, mode);
  if (completes && seen > -Infinity) evaluate(Math.max(seen, ...events.slice(0, at + given).map(({ t }) => t + 2)));
  return lines;
}

it('goes on after a crash at any moment as though there had been none, in either mode, and after a change of mode', { timeout: 120_000 }, async () => {
  let crashes = 0, restores = 0;
  const check = async (events: readonly Reading[], steps: readonly Step[], eager: boolean): Promise<void> => {
    const scheduler = manualScheduler();
    const store = new FakeStore();
    const histories = new Map<number, History>([[0, []]]);
    let mode: Mode = 'real time', history: History = [], waiting: (() => void)[] = [];

    const start = () => {
      const log = logOf(), source$ = new Subject<Reading>();
      const run = { log, source$, at: 0, given: 0, completed: false, stop: (): void => undefined };
      history = histories.get(store.revision) ?? [];
      if (store.parts.length > 0) restores += 1;
      const [from, by] = [history, mode];
      waiting = [];
      store.onSave = ({ apply, resolve }) => {
        const done = (): void => {
          const rev = apply();
          const engine = createEngine<Reading>()(config);
          engine.restore(store.parts);
          histories.set(store.revision, [...from, { mode: by, to: engine.position.events }]);
          resolve(rev);
        };
        if (eager) done();
        else waiting.push(done);
      };
      const rows$ = rollingWindowFrom(
        ({ events: position }) => {
          run.at = position;
          return source$;
        },
        { ...config, dropped: log.dropped, clock: eventTime(), scheduler, trigger: mode === 'real time' ? realTime() : microBatch(interval), checkpoint: { store, every: 3 } },
      );
      const subscription = rows$.subscribe({ next: log.row, complete: () => (run.completed = true) });
      run.stop = () => subscription.unsubscribe();
      return run;
    };
    const judge = ({ log, at, given, completed }: ReturnType<typeof start>): void => {
      expect(at).toBe(history.at(-1)?.to ?? 0);
      expect(inGroups(log.lines)).toEqual(inGroups(byTheRules(events, history, mode, given, completed)));
    };

    let run = start();
    for (const [what, how] of steps) {
      if (what === 'next') {
        for (let i = 0; i < how && run.at + run.given < events.length; i++) run.source$.next(events[run.at + run.given++]!);
      } else if (what === 'wait') scheduler.advanceBy(how);
      else if (what === 'answer') waiting.splice(0).forEach((done) => done());
      else {
        run.stop();
        judge(run);
        crashes += 1;
        mode = how;
        run = start();
      }
      await settled();
      scheduler.advanceBy(0);
    }
    while (run.at + run.given < events.length) run.source$.next(events[run.at + run.given++]!);
    run.source$.complete();
    for (let i = 0; i < 4; i++) {
      waiting.splice(0).forEach((done) => done());
      await settled();
    }
    expect(run.completed).toBe(true);
    judge(run);
    expect(scheduler.timers).toBe(0);
  };
  const reading = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -14, max: 3 }), fc.integer({ min: -9, max: 9 }));
  const course = fc.array(reading, { minLength: 1, maxLength: 60, size: 'max' }).map((list) => list.map(([k, beside, v], i): Reading => ({ k, t: 100 + i + beside, v })));
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('next'), fc.integer({ min: 1, max: 6 })) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('wait'), fc.constantFrom(1, 3, 10)) },
    { weight: 2, arbitrary: fc.constant<Step>(['answer']) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('crash'), fc.constantFrom<Mode>('real time', 'micro-batch')) },
  );
  await fc.assert(fc.asyncProperty(course, fc.array(step, { minLength: 3, maxLength: 40, size: 'max' }), fc.boolean(), check), { numRuns: 1000 });
  expect(crashes).toBeGreaterThan(1000);
  expect(restores).toBeGreaterThan(1000);
});

/** The lines with the rows of each frontier in an order of their own. */
function inGroups(lines: readonly string[]): string[] {
  const frontier = (line: string): string => /"__frontier":(-?\d+)/.exec(line)?.[1] ?? line;
  const groups: string[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && frontier(group[0]!) === frontier(line)) group.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => group.sort());
}
