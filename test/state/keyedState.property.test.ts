import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyedState, type StateContext, type StateTimer } from '../../operators/state/index.ts';
import { NaiveKeyedState } from '../support/naiveState.ts';

/** What the user's code does with an event or a timer: the first letter says what, the digit by how much. */
type Order = 'T' | 'U' | 'P' | 'X' | 'R' | 'C' | 'E' | 'G';

interface Command {
  readonly k: string | number | null;
  readonly t: number;
  readonly orders: readonly (readonly [Order, number])[];
}
interface Tally {
  n: number;
  readonly seen: string[];
}

const oops = new Error('oops');

/** The user's code: changes its state in place or replaces it, sets and cancels timers, emits, forgets and throws. */
function obey(state: Tally, orders: Command['orders'], { now, watermark, replace, setTimer, cancelTimer, timer, clear }: StateContext<Tally, unknown>, why: string): unknown[] {
  state.n += 1;
  state.seen.push(why);
  const out: unknown[] = [`${why}@${String(now)} W${String(watermark)} n${state.n}`];
  for (const [order, by] of orders) {
    if (order === 'T') setTimer(now + by, `${by % 3}`);
    if (order === 'U') setTimer(now + by);
    if (order === 'P') setTimer(now - by + 0.5, 'past');
    if (order === 'X') out.push(cancelTimer(`${by % 3}`));
    if (order === 'R') replace({ n: by, seen: [] });
    if (order === 'C') clear();
    if (order === 'E') out.push(...Array.from({ length: by % 3 }, (_, i) => `${why}/${i} ${String(timer('1'))}`));
    if (order === 'G') throw oops;
  }
  return out;
}
const init = (): Tally => ({ n: 0, seen: [] });
const onEvent = (state: Tally, { k, t, orders }: Command, context: StateContext<Tally, unknown>): unknown[] => obey(state, orders, context, `${String(k)}:${t}`);
// A timer sets another now and then, so that there are chains; by its time, so that both engines do alike.
const onTimer = (state: Tally, { name, at }: StateTimer, context: StateContext<Tally, unknown>): unknown[] =>
  obey(state, at % 4 < 1 ? [['T', 1 + (Math.abs(at) % 5)]] : at % 7 < 1 ? [['C', 0]] : [], context, `timer ${name}:${at}`);

const orders = fc.array(fc.tuple(fc.constantFrom<Order>('T', 'T', 'U', 'P', 'X', 'R', 'C', 'E', 'G'), fc.nat(12)), { maxLength: 3 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('push' as const), fc.constantFrom('a', 'b', 'c', 1, null), fc.integer({ min: -12, max: 8 }), orders) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('advance' as const), fc.nat(9)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('jump' as const), fc.integer({ min: -10, max: 40 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('restart' as const)) },
);
const setting = fc.record({
  mode: fc.constantFrom('eventTime' as const, 'processingTime' as const),
  delay: fc.constantFrom(0, 3),
  watermark: fc.constantFrom(undefined, 0, 5),
  ttl: fc.constantFrom(Infinity, 4, 10),
  maxKeys: fc.constantFrom(Infinity, 2),
  onLimit: fc.constantFrom('evict-idle' as const, 'drop-new' as const),
});
const keys = ['a', 'b', 'c', 1, null];

test('outputs, errors, removals, states, counters and the next boundary are those of the plain loop, across restarts', () => {
  fc.assert(
    fc.property(setting, fc.array(step, { maxLength: 40 }), ({ mode, delay: given, watermark, ttl, maxKeys, onLimit }, steps) => {
      const delay = mode === 'eventTime' ? given : 0;
      const naive = new NaiveKeyedState<Command, Tally>({ mode, delay, watermark, ttl, maxKeys, onLimit, init, onEvent, onTimer });
      const open = () =>
        createKeyedState<Command>()({
          partitionBy: 'k',
          orderBy: 't',
          timeMode: mode,
          ...(mode === 'eventTime' ? { delay } : {}),
          watermark,
          ttl: ttl === Infinity ? undefined : ttl,
          limits: maxKeys === Infinity ? undefined : { maxKeys, onLimit },
          init,
          onEvent,
          onTimer,
        });
      let state = open(), now = 100;
      for (const [what, ...details] of steps) {
        if (what === 'push') {
          const [k, offset, given] = details as [Command['k'], number, Command['orders']];
          const event = { k, t: now + offset, orders: given };
          expect(state.push(event, now) === 'late').toBe(naive.push(event, now) === 'late');
        } else if (what === 'restart') {
          const bytes = state.snapshot();
          state = open();
          state.restore(bytes);
          expect(state.snapshot()).toEqual(bytes);
        } else {
          now += details[0] as number;
          const expected = naive.advance(now);
          if (Array.isArray(expected)) expect(state.advance(now)).toEqual(expected);
          else expect(() => state.advance(now)).toThrow(expect.objectContaining({ code: 'user-code', cause: oops }));
          expect(state.removed.map(({ k }) => k)).toEqual(naive.removed);
        }
        expect(state.stats).toMatchObject({ keys: naive.keys.length, held: naive.held.length, timers: naive.keys.reduce((sum, { timers }) => sum + timers.length, 0) });
        expect(state.watermark).toBe(naive.watermark.value);
        expect(state.frontier).toBe(naive.frontier);
        const due = naive.nextDue();
        expect(state.nextBoundary()).toBe(naive.owes ? now : due && due.at + delay);
        for (const k of keys) expect(state.state({ k })).toEqual(naive.keys.find((key) => key.k === k)?.state);
      }
    }),
    { numRuns: 1500 },
  );
}, 120_000);

test('without a watermark the outcome is the same, however often somebody looks', () => {
  const arrival = fc.record({ k: fc.constantFrom('a', 'b', 'c'), wait: fc.integer({ min: 0, max: 6 }), offset: fc.integer({ min: -20, max: 5 }), looks: fc.boolean(), orders });
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 30 }), fc.constantFrom('eventTime' as const, 'processingTime' as const), fc.constantFrom(undefined, 7), (arrivals, timeMode, ttl) => {
      const open = () => createKeyedState<Command>()({ partitionBy: 'k', orderBy: 't', timeMode, ...(timeMode === 'eventTime' ? { delay: 10 } : {}), ttl, init, onEvent, onTimer });
      const often = open(), rarely = open(), outOften: unknown[] = [], outRarely: unknown[] = [];
      let now = 0;
      for (const { k, wait, offset, looks, orders: given } of arrivals) {
        now += wait;
        const event = { k, t: now + offset, orders: given.filter(([order]) => order !== 'G') };
        outOften.push(...often.advance(now - wait / 2));
        often.push(event, now);
        rarely.push(event, now);
        outOften.push(...often.advance(now));
        if (looks) outRarely.push(...rarely.advance(now));
      }
      outOften.push(...often.advance(now + 500));
      outRarely.push(...rarely.advance(now + 500));
      expect(outRarely).toEqual(outOften);
      const { keys: keysOften, timersFired, expired } = often.stats;
      expect(rarely.stats).toMatchObject({ keys: keysOften, timersFired, expired });
    }),
    { numRuns: 1000 },
  );
}, 60_000);
