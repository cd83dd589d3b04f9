import { NEVER, Subject, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createEngine, eventTime, rollingWindowFrom, type SavedCheckpoint } from '../../operators/index.ts';
import { manualScheduler } from '../../operators/testing/index.ts';
import { FakeStore, settled } from '../support/fakeStore.ts';
import { at, lastHits, type Hit } from './support.ts';

const records = Array.from({ length: 6 }, (_, i) => ({ ...at(i), part: i % 2, offset: i >> 1 }));
type PartRecord = (typeof records)[number];
const gone = new Error('gone');

/** A subscription, with what it asked for and what it gave. */
function begin(store: FakeStore, source$: Observable<PartRecord>) {
  const asked: unknown[] = [], seen: unknown[] = [], saved: SavedCheckpoint[] = [];
  const scheduler = manualScheduler();
  const rows$ = rollingWindowFrom(
    ({ events, offsets }) => {
      asked.push({ events, offsets: [...offsets] });
      return source$;
    },
    {
      ...lastHits,
      position: ({ part, offset }: PartRecord): [number, number] => [part, offset],
      clock: eventTime(),
      scheduler,
      checkpoint: { store, every: 10, saved: (checkpoint) => saved.push(checkpoint) },
    },
  );
  const subscription = rows$.subscribe({ next: (given) => seen.push(given), error: (error: unknown) => seen.push(error) });
  return { asked, seen, saved, scheduler, subscription };
}

describe('rollingWindowFrom', () => {
  it('begins at the position that was saved, by partition too, and at nothing where there is none', async () => {
    const store = new FakeStore();
    const source$ = new Subject<PartRecord>();
    const first = begin(store, source$);
    for (const record of records.slice(0, 3)) source$.next(record);
    first.scheduler.advanceBy(10);
    await settled();
    source$.next(records[3]!); // is lost with the program, and read again
    first.subscription.unsubscribe();
    const second = begin(store, source$);
    const saved = [
      [0, 1],
      [1, 0],
    ];

    expect(first.asked).toEqual([{ events: 0, offsets: [] }]);
    expect(first.saved.map(({ position }) => ({ ...position, offsets: [...position.offsets] }))).toEqual([{ events: 3, offsets: saved }]);
    expect(second.asked).toEqual([{ events: 3, offsets: saved }]);
  });

  it('loads and begins anew with each subscription, and leaves nothing behind', () => {
    const store = new FakeStore();
    const source$ = new Subject<PartRecord>();
    begin(store, source$).subscription.unsubscribe();
    begin(store, source$).subscription.unsubscribe();

    expect(store.loads).toBe(2);
    expect(source$.observed).toBe(false);
  });

  it('waits for a promise, and asks for no source where it is unsubscribed meanwhile or the load fails', async () => {
    const store = new FakeStore();
    store.onLoad = () => Promise.resolve(undefined);
    const source$ = new Subject<PartRecord>();
    const waiting = begin(store, source$), gaveUp = begin(store, source$);
    expect(waiting.asked).toEqual([]);
    gaveUp.subscription.unsubscribe();
    store.onLoad = () => Promise.reject(gone);
    const failed = begin(store, source$);
    await settled();

    expect(waiting.asked).toHaveLength(1);
    expect(gaveUp.asked).toEqual([]);
    expect(failed.asked).toEqual([]);
    expect(failed.seen).toEqual([gone]);
  });

  it('gives what the function throws to the error channel, after a promise, too', async () => {
    const errors: unknown[] = [];
    for (const onLoad of [() => undefined, () => Promise.resolve(undefined)]) {
      const store = Object.assign(new FakeStore(), { onLoad });
      const source = (): never => {
        throw gone;
      };
      rollingWindowFrom(source, createEngine<Hit>()(lastHits), { checkpoint: { store } }).subscribe({ error: (error: unknown) => errors.push(error) });
    }
    await settled();

    expect(errors).toEqual([gone, gone]);
  });

  it('takes an async iterable', async () => {
    const store = new FakeStore();
    const rows: unknown[] = [];
    const read = async function* (from: number): AsyncGenerator<Hit> {
      for (const record of records.slice(from, from + 2)) yield await Promise.resolve(record);
    };
    for (let i = 0; i < 2; i++) {
      await new Promise<void>((complete) => {
        rollingWindowFrom(({ events }) => read(events), { ...lastHits, clock: eventTime(), checkpoint: { store } }).subscribe({ next: ({ n }) => rows.push(n), complete });
      });
    }

    expect(rows).toEqual([1, 2, 3, 4]);
  });

  it('goes on from where an engine of the caller is, where there is no checkpoint', () => {
    const engine = createEngine<Hit>()(lastHits);
    engine.push(at(0), 0);
    const asked: number[] = [];
    const source = ({ events }: { readonly events: number }): Observable<Hit> => {
      asked.push(events);
      return NEVER;
    };
    rollingWindowFrom(source, engine, {}).subscribe().unsubscribe();

    expect(asked).toEqual([1]);
  });

  it('refuses at once what can’t be', () => {
    expect(() => rollingWindowFrom(5 as never, createEngine<Hit>()(lastHits), {})).toThrow(/\[invalid-config\] expected a function/);
    expect(() => rollingWindowFrom(() => NEVER, lastHits as never)).toThrow(/\[invalid-config\] expected `checkpoint`/);
  });
});
