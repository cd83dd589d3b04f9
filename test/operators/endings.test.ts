import { map, queueScheduler, Subject, take, type Observable } from 'rxjs';
import { memoryStore } from 'rxjs-rolling-window/checkpoint';
import { describe, expect, it } from 'vitest';
import { eventTime, manual, microBatch, realTime } from '../../operators/index.ts';
import { detailedProgress } from '../../operators/progress/index.ts';
import { manualScheduler } from '../../operators/testing/index.ts';
import { settled } from '../support/fakeStore.ts';
import { at, countHits, type Hit, type HitOptions } from './support.ts';

/** What a subscription has beside its source: `asked$` asks for an evaluation. */
const modes: Record<string, (asked$: Observable<void>) => HitOptions> = {
  'in real time': (flush$) => ({ flush$ }),
  'turn by turn': (flush$) => ({ flush$, trigger: realTime({ coalesce: queueScheduler }) }),
  'in micro-batches, with detailed progress': (flush$) => ({ flush$, trigger: microBatch(10), progress: detailedProgress({ next: () => undefined }) }),
  'by a notifier': (clock$) => ({ trigger: manual(clock$.pipe(map(() => 5))) }),
  'by events, running on': (flush$) => ({ flush$, clock: eventTime({ idleAfter: 5 }) }),
  'with checkpoints': (flush$) => ({ flush$, checkpoint: { store: memoryStore(), every: 10 } }),
};

const hits = (events$: Subject<Hit>, asked$: Subject<void>): void => {
  events$.next(at(0));
  events$.next(at(3, 'b'));
  asked$.next();
};

/** How a life ends; and whether somebody hears of it. */
const endings: Record<string, readonly [live: (rows$: (events$: Subject<Hit>) => Observable<unknown>, asked$: Subject<void>, end: () => void) => Subject<Hit>, heard: boolean]> = {
  unsubscribed: [
    (rows$, asked$, end) => {
      const events$ = new Subject<Hit>(), subscription = rows$(events$).subscribe({ complete: end, error: end });
      hits(events$, asked$);
      subscription.unsubscribe();
      return events$;
    },
    false,
  ],
  completed: [
    (rows$, asked$, end) => {
      const events$ = new Subject<Hit>();
      rows$(events$).subscribe({ complete: end });
      hits(events$, asked$);
      events$.complete();
      return events$;
    },
    true,
  ],
  'failed by their source': [
    (rows$, asked$, end) => {
      const events$ = new Subject<Hit>();
      rows$(events$).subscribe({ error: end });
      hits(events$, asked$);
      events$.error(new Error('source'));
      return events$;
    },
    true,
  ],
  'failed by code of the user': [
    (rows$, asked$, end) => {
      const events$ = new Subject<Hit>();
      rows$(events$).subscribe({ error: end });
      hits(events$, asked$);
      events$.next({
        k: 'a',
        get t(): number {
          throw new Error('mine');
        },
      });
      return events$;
    },
    true,
  ],
  'taken one row from': [
    (rows$, asked$, end) => {
      const events$ = new Subject<Hit>();
      rows$(events$).pipe(take(1)).subscribe({ complete: end });
      hits(events$, asked$);
      return events$;
    },
    true,
  ],
};

describe.each(Object.entries(endings))('a thousand subscriptions that are %s', (_, [live, heard]) => {
  it.each(Object.entries(modes))('leave no timer and no listener: %s', async (_, optionsWith) => {
    const scheduler = manualScheduler(), asked$ = new Subject<void>();
    let ended = 0;
    for (let i = 0; i < 1000; i++) {
      const events$ = live((source$) => source$.pipe(countHits({ scheduler, ...optionsWith(asked$) })), asked$, () => (ended += 1));
      if (i % 100 === 0) await settled(); // a last save settles
      expect([events$.observed, asked$.observed]).toEqual([false, false]);
      if (i % 100 === 0) expect(scheduler.timers).toBe(0);
    }
    await settled();
    expect([scheduler.timers, ended]).toEqual([0, heard ? 1000 : 0]);
  });
});
