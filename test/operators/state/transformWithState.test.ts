import fc from 'fast-check';
import { asyncScheduler, NEVER, of, Subject, take, type SchedulerAction, type SchedulerLike } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { eventTime, fastForward, microBatch } from '../../../operators/index.ts';
import { createDeduplicator, createKeyedState, dropDuplicates, transformWithState, type StateContext, type StateTimer } from '../../../operators/state/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { FakeStore } from '../../support/fakeStore.ts';
import { marbles } from '../../support/marbles.ts';
import { SleepyScheduler } from '../../support/sleepyScheduler.ts';
import { at, type Hit } from '../support.ts';

type Context = StateContext<number, { k: string }>;

/** Emits a lower-case letter with an event, and an upper-case one when a key was quiet for 5 ms. */
const quiet = {
  partitionBy: 'k',
  init: () => 0,
  onEvent(_: number, { k }: Hit, { now, setTimer }: Context) {
    setTimer(now + 5);
    return [k];
  },
  onTimer: (_: number, __: StateTimer, { key }: Context) => [key.k.toUpperCase()],
} as const;

describe('in marbles', () => {
  it('fires a timer by the clock at its own instant, without an event', marbles((m) => {
    //                t(ms): 0123456789012
    const events$ = m.hot(  '-a--a-b-----|', { a: at(0), b: at(0, 'b') });
    const values =          '-a--a-b--A-B|';

    m.expect(events$.pipe(transformWithState(quiet))).toBeObservable(values);
    m.expect(events$).toHaveSubscriptions('^-----------!');
  }));

  it('fires a timer by the frontier, which follows the clock with the delay', marbles((m) => {
    //                t(ms): 012345678901234
    const events$ = m.hot(  '-a--b---------|', { a: at(1), b: at(3, 'b') });
    const values =          '---a-b--A-B---|'; // F = clock - 2; timers at 6 and 8

    m.expect(events$.pipe(transformWithState({ ...quiet, orderBy: 't', delay: 2 }))).toBeObservable(values);
  }));

  it('has the timer before an event of its instant', marbles((m) => {
    //                t(ms): 0123456789012345
    const events$ = m.hot(  '-a----a--------|', { a: at(1) });
    const values =          '-a----(Aa)-A---|';

    m.expect(events$.pipe(transformWithState(quiet))).toBeObservable(values);
  }));

  it('drops a state on time, and makes it anew', marbles((m) => {
    //                t(ms): 01234567890
    const events$ = m.hot(  '-a-a----a-|', { a: at(0) });
    const values =          '-0-1----0-|'; // ttl 5: until 8

    m.expect(events$.pipe(transformWithState({ partitionBy: 'k', ttl: 5, init: () => 0, onEvent: (n, _, { replace }) => (replace(n + 1), [`${n}`]) }))).toBeObservable(values);
  }));

  it('ends with one evaluation, and waits for no timer', marbles((m) => {
    const events$ = m.hot(  '-a-|', { a: at(0) });
    const values =          '-a-|';

    m.expect(events$.pipe(transformWithState(quiet))).toBeObservable(values);
  }));

  it('under the clock of the events, comes to the last of them in the end', marbles((m) => {
    const events$ = m.cold( '(abc|)', { a: at(10), b: at(20), c: at(14, 'b') });
    const values =          '(abABa|)';

    m.expect(events$.pipe(transformWithState({ ...quiet, orderBy: 't', delay: 10, clock: eventTime() }))).toBeObservable(values);
  }));

  it('passes an error of the source at once, and one of its own with its name', marbles((m) => {
    const events$ = m.hot(  '-a-#', { a: at(0) });
    m.expect(events$.pipe(transformWithState(quiet))).toBeObservable('-a-#');
  }));
});

const errorOf = (stream$: { subscribe(observer: { error: (error: unknown) => void }): unknown }): unknown => {
  let caught: unknown;
  stream$.subscribe({ error: (error) => (caught = error) });
  return caught;
};

describe('the operator', () => {
  it('ends the stream with the callback that threw, and leaves no timer', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>(), values: unknown[] = [], errors: unknown[] = [];
    events$
      .pipe(
        transformWithState({
          ...quiet,
          scheduler,
          *onTimer(_, { at: due }) {
            yield 'half';
            if (due > 5) throw new Error('oops');
          },
        }),
      )
      .subscribe({ next: (value) => values.push(value), error: (error: unknown) => errors.push(error) });
    events$.next(at(0));
    scheduler.advanceBy(1);
    events$.next(at(0, 'b'));
    scheduler.advanceBy(10);

    expect(values).toEqual(['a', 'b', 'half']);
    expect(errors).toMatchObject([{ code: 'user-code', expected: 'onTimer to return', cause: new Error('oops') }]);
    expect(scheduler.timers).toBe(0);
    expect(events$.observed).toBe(false);
  });

  it('has one timer for a thousand keys with three each, which all fire at their instants', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>(), fired: number[] = [], late: number[] = [];
    events$
      .pipe(
        transformWithState({
          partitionBy: 'k',
          scheduler,
          init: () => 0,
          onEvent(_, { t }, { setTimer }) {
            for (let i = 0; i < 3; i++) setTimer(t + i * 1000, `${i}`);
          },
          onTimer: (_, timer) => [timer.at],
        }),
      )
      .subscribe((due) => {
        fired.push(due);
        if (scheduler.now() !== due) late.push(due);
      });
    for (let i = 0; i < 1000; i++) {
      events$.next(at(1 + ((i * 7919) % 1000), `k${i}`));
      expect(scheduler.timers).toBe(1);
    }
    scheduler.advanceBy(5000);

    expect(fired).toEqual(Array.from({ length: 3000 }, (_, i) => i + 1));
    expect(late).toEqual([]);
    expect(scheduler.timers).toBe(0);
  });

  it('reports nothing and emits nothing once a callback has unsubscribed', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>(), told: unknown[] = [];
    const subscription = events$
      .pipe(
        transformWithState({
          partitionBy: 'k',
          scheduler,
          init: () => 0,
          onEvent(_, { t }, { setTimer }) {
            setTimer(t + 5);
            subscription.unsubscribe();
            return [t];
          },
          onTimer: () => undefined,
          progress: { next: (report) => told.push(report) },
        }),
      )
      .subscribe((value) => told.push(value));
    events$.next(at(0));

    expect(told).toEqual([]);
    expect(scheduler.timers).toBe(0);
  });

  it('leaves no timer behind, a thousand times', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const values$ = events$.pipe(transformWithState({ ...quiet, scheduler }));
    for (let i = 0; i < 1000; i++) {
      const subscription = (i % 2 ? values$ : values$.pipe(take(2))).subscribe();
      events$.next(at(0));
      expect(scheduler.timers).toBe(1);
      if (i % 4 < 2) subscription.unsubscribe();
      else events$.next(at(0));
      if (i % 4 === 3) subscription.unsubscribe();
      expect(scheduler.timers).toBe(0);
    }
    expect(events$.observed).toBe(false);
  });

  it('splits a wait that is longer than timers can', () => {
    const month = 30 * 86_400_000, asked: number[] = [];
    const inner = manualScheduler();
    const scheduler: SchedulerLike = {
      now: () => inner.now(),
      schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) => {
        asked.push(delay);
        return inner.schedule(work, delay, state);
      },
    };
    const values: unknown[] = [];
    const events$ = new Subject<Hit>();
    events$.pipe(transformWithState({ ...quiet, scheduler, onEvent: (_, __, { now, setTimer }) => setTimer(now + month), onTimer: (_, timer) => [timer.at] })).subscribe((value) => values.push(value));
    events$.next(at(0));
    inner.advanceBy(month - 1);
    expect(values).toEqual([]);
    inner.advanceBy(1);

    expect(values).toEqual([month]);
    expect(Math.max(...asked)).toBe(2 ** 31 - 1);
  });

  it('catches up after a sleep: all that was due, in order, with the time it was due at', () => {
    const scheduler = new SleepyScheduler(0);
    const events$ = new Subject<Hit>(), values: unknown[] = [];
    events$
      .pipe(transformWithState({ ...quiet, scheduler, onTimer: (n: number, { at: due }: StateTimer, { now, setTimer, replace }: Context) => (replace(n + 1), n < 3 && setTimer(due + 5), [due, now]) }))
      .subscribe((value) => values.push(value));
    events$.next(at(0));
    scheduler.sleepUntil(90);
    scheduler.wakeAt(100);

    expect(values).toEqual(['a', 5, 5, 10, 10, 15, 15, 20, 20]);
    expect(scheduler.pending).toBe(0);
  });

  it('queues what is fed back from next: ten thousand times without a deep stack, order kept', () => {
    const events$ = new Subject<Hit>(), seen: number[] = [];
    events$
      .pipe(transformWithState({ partitionBy: 'k', scheduler: manualScheduler(), init: () => 0, onEvent: (n, _, { replace }) => (replace(n + 1), [n, -1]) }))
      .subscribe((n) => {
        seen.push(n);
        if (n >= 0 && n < 10_000) events$.next(at(0));
      });
    events$.next(at(0));

    expect(seen).toEqual(Array.from({ length: 10_001 }, (_, n) => [n, -1]).flat());
  });

  it('over a core of the caller’s: asked, saved and restored from inside next, whole each time', () => {
    const open = () => createKeyedState<Hit>()(quiet);
    const core = open(), scheduler = manualScheduler(), saved: Uint8Array[] = [], values: unknown[] = [];
    const events$ = new Subject<Hit>();
    events$.pipe(transformWithState(core, { scheduler })).subscribe(() => saved.push(core.snapshot()));
    events$.next(at(0));
    scheduler.advanceBy(3);

    const restored = open();
    restored.restore(saved[0]!);
    expect(restored.state({ k: 'a' })).toBe(0);
    NEVER.pipe(transformWithState(restored, { scheduler })).subscribe((value) => values.push([scheduler.now(), value]));
    scheduler.advanceBy(10);

    expect(values).toEqual([[5, 'A']]); // a restored timer fires on time, without any event
    expect(errorOf(NEVER.pipe(transformWithState(restored, { scheduler })))).toMatchObject({ code: 'engine-in-use' });
  });

  it('drops, gathers and ends by trigger, in every clock alike', () => {
    const run = (scheduler: SchedulerLike): unknown[] => {
      const values: unknown[] = [];
      of(at(1), at(9, 'b'), at(4), at(30, 'c')).pipe(transformWithState({ ...quiet, orderBy: 't', delay: 8, clock: eventTime(), trigger: microBatch(10), scheduler })).subscribe((value) => values.push(value));
      return values;
    };

    expect(run(asyncScheduler)).toEqual(['a', 'a', 'A', 'b', 'B', 'c']);
    expect(run(fastForward({ from: 0, speed: 1000 }))).toEqual(run(asyncScheduler));
  });

  it('says at once what is wrong', () => {
    const made = (wrong: object) => () => transformWithState({ ...quiet, ...wrong } as never);

    expect(made({ onEvent: 5 })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(made({ clock: eventTime() })).toThrow(expect.objectContaining({ code: 'invalid-config', expected: 'a column for eventTime() to read' }));
    expect(made({ trigger: 5 })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });
});

/** A world that passes in milliseconds, in which somebody looks at each of them: no timer, no sleep. */
it.each<[string, () => unknown]>([
  ['transformWithState', () => transformWithState({ ...quiet, checkpoint: { store: new FakeStore() } } as never)],
  ['transformWithState over a core', () => transformWithState(createKeyedState<Hit>()(quiet), { checkpoint: { store: new FakeStore() } } as never)],
  ['dropDuplicates', () => dropDuplicates({ by: 'k', checkpoint: { store: new FakeStore() } } as never)],
  ['dropDuplicates over a core', () => dropDuplicates(createDeduplicator<Hit>()({ by: 'k' }), { checkpoint: { store: new FakeStore() } } as never)],
])('%s takes no checkpoint, and says at once what to do in its place', (_, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'invalid-config', message: expect.stringMatching(/no checkpoint.*snapshot\(\).*restore\(\)/) as string }));
});

it('wakes by itself exactly when something is due: as if somebody looked at every instant', () => {
  const step = fc.tuple(fc.nat(12), fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -15, max: 6 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.constantFrom(0, 4), fc.constantFrom(undefined, 6), fc.boolean(), (steps, delay, ttl, inEventTime) => {
      const config = {
        partitionBy: 'k',
        ...(inEventTime ? { orderBy: 't' as const, delay } : {}),
        ttl,
        init: () => 0,
        onEvent: (n: number, { k, t }: Hit, { now, setTimer, replace }: Context) => (replace(n + 1), setTimer(now + 1 + (t & 7), t % 2 ? 'odd' : ''), [`${k}${t} ${n} @${now}`]),
        onTimer: (n: number, { name, at: due }: StateTimer, { key, now, setTimer }: Context) => (n % 3 === 1 && due % 4 === 0 && setTimer(due + 3), [`${key.k} ${name} ${due} ${n} @${now}`]),
      } as const;
      const scheduler = manualScheduler(), events$ = new Subject<Hit>(), values: string[] = [], expected: string[] = [];
      const core = createKeyedState<Hit>()(config);
      events$.pipe(transformWithState({ ...config, scheduler })).subscribe((value) => values.push(`${scheduler.now()}: ${value}`));
      let now = 0;
      const look = (): void => {
        for (const value of core.advance(now)) expected.push(`${now}: ${value}`);
      };
      const pass = (ms: number): void => {
        for (let i = 0; i < ms; i++) {
          now += 1;
          look();
        }
      };
      for (const [wait, k, offset] of steps) {
        pass(wait);
        scheduler.advanceBy(wait);
        const event = at(now + offset, k);
        core.push(event, now);
        look();
        events$.next(event);
      }
      pass(60);
      scheduler.advanceBy(60);
      expect(values).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
}, 60_000);
