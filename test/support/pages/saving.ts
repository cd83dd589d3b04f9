import { Observable } from 'rxjs';
import { count, createEngine, eventTime, fastForward, preceding, range, rollingWindowFrom, sum } from 'rxjs-rolling-window';
import { indexedDbStore } from 'rxjs-rolling-window/checkpoint';
import { delay, lookback, numbered, type Numbered, type Total } from '../numberedEvents.ts';

/** A state as a test compares it. */
export interface Held {
  readonly events: number;
  readonly totals: Record<string, Total>;
}
/** What a test asks of the page. */
export interface Saving {
  /** Where the program went on. */
  readonly resumed: Promise<Held>;
  /** What is in the store now, read by somebody else. */
  readonly stored: () => Promise<Held | undefined>;
  /** Failed saves, as `progress` tells of them. */
  readonly failures: { readonly code: unknown; readonly attempt: number; readonly retryIn: number | undefined }[];
  /** Events in the last save that was acknowledged. */
  acknowledged: number;
  /** The error of the stream. */
  error: string | undefined;
}
declare global {
  var saving: Saving;
  /** The test is told of each save. */
  function acknowledge(events: number): void;
}

/** `?speed=`: how many times as fast the operator's timers are. */
const speed = Number(new URLSearchParams(location.search).get('speed') ?? 1);
const name = 'numbered events';
const open = () =>
  createEngine<Numbered>()({
    partitionBy: 'key',
    orderBy: 'at',
    frontierSpec: { delay },
    emit: 'none',
    measures: [count().as('all'), sum('value').as('sum'), count().over(preceding(range(lookback))).as('recent')],
  });

function held(engine: ReturnType<typeof open>): Held {
  const keys = Array.from({ length: 50 }, (_, i) => `k${String(i)}`);
  const totals = keys.map((key) => [key, engine.query({ key })] as const).filter(([, { all }]) => all > 0);
  return { events: engine.position.events, totals: Object.fromEntries(totals.map(([key, { all, sum, recent }]) => [key, [all, sum ?? NaN, recent]])) };
}

/** Events without end, some thousands a second, from a number on. */
const from = (first: number): Observable<Numbered> =>
  new Observable((subscriber) => {
    let next = first;
    const timer = setInterval(() => {
      for (let i = 0; i < 40; i++) subscriber.next(numbered(next++));
    });
    return () => clearInterval(timer);
  });

const engine = open();
let resume: (state: Held) => void, fail: (error: unknown) => void;
globalThis.saving = {
  resumed: new Promise((resolve, reject) => ([resume, fail] = [resolve, reject])),
  async stored() {
    const store = indexedDbStore(name), reader = open();
    const stored = await store.load();
    await store.close();
    if (!stored) return undefined;
    reader.restore(stored.parts);
    return held(reader);
  },
  failures: [],
  acknowledged: 0,
  error: undefined,
};

rollingWindowFrom(
  ({ events }) => {
    resume(held(engine));
    return from(events);
  },
  engine,
  {
    clock: eventTime(),
    scheduler: fastForward({ from: 0, speed }),
    checkpoint: {
      store: indexedDbStore(name),
      every: 5 * speed,
      saved({ position }) {
        saving.acknowledged = position.events;
        acknowledge(position.events);
      },
    },
    progress: {
      next({ checkpointError: failure }) {
        if (failure) saving.failures.push({ code: (failure.error as { code?: unknown }).code, attempt: failure.attempt, retryIn: failure.retryIn });
      },
    },
  },
).subscribe({
  error(error: unknown) {
    saving.error = String(error);
    fail(error);
  },
});
addEventListener('pageshow', ({ persisted }) => (document.body.dataset['persisted'] = String(persisted)));
