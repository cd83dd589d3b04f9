import { defer, from, NEVER, Observable, of, Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { rollingBatches } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { liveTable } from '../../../operators/windowFunctions/liveTable.ts';
import { createLiveTable, type RowChange, type TableInput } from '../../../src/liveTable/index.ts';
import { at, lastHits, row, type Hit } from '../support.ts';

interface Standing {
  readonly player: string;
  readonly points: number;
}
const ann = (points: number): Standing => ({ player: 'ann', points });
const bob = (points: number): Standing => ({ player: 'bob', points });
const inserted = <Row>(after: Row): RowChange<Row> => ({ kind: 'insert', after });

type Changes = readonly RowChange<Standing>[];

const openTable = () => createLiveTable<Standing>()({ key: 'player' });

const told = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).message;

/** Subscribes, and notes all that comes, errors by their code. */
function noted<T>(stream$: Observable<T>): unknown[] {
  const notes: unknown[] = [];
  stream$.subscribe({ next: (value) => notes.push(value), error: (error: unknown) => notes.push(told(error)), complete: () => notes.push('complete') });
  return notes;
}

describe('liveTable', () => {
  it('emits the changes of each input that has some, and ends with its source', () => {
    const inputs = of<TableInput<Standing>[]>(ann(1), [bob(1), ann(2), bob(3)], [], ann(2), { rows: [ann(5)], removed: [{ player: 'bob' }] });

    expect(noted(inputs.pipe(liveTable<TableInput<Standing>, 'player'>({ key: 'player' })))).toEqual([
      [inserted(ann(1))],
      [{ kind: 'update', before: ann(1), after: ann(2) }, inserted(bob(3))],
      [{ kind: 'update', before: ann(2), after: ann(5) }, { kind: 'delete', before: bob(3) }],
      'complete',
    ]);
  });

  it('follows rollingBatches: rows, and keys whose state was dropped', () => {
    const scheduler = manualScheduler(), hits$ = new Subject<Hit>();
    const notes = noted(hits$.pipe(rollingBatches({ ...lastHits, scheduler }), liveTable({ key: 'k' })));
    hits$.next(at(0, 'a'));
    scheduler.moveTo(4);
    hits$.next(at(4, 'b'));
    scheduler.moveTo(20);

    expect(notes).toEqual([
      [inserted(row(0, 1, 'a'))],
      [inserted(row(4, 1, 'b'))],
      [{ kind: 'delete', before: row(0, 1, 'a') }],
      [{ kind: 'delete', before: row(4, 1, 'b') }],
    ]);
  });

  it('has its own state in each subscription', () => {
    const changes$ = of(ann(1), ann(2)).pipe(liveTable({ key: 'player' }));

    expect(noted(changes$)).toEqual(noted(changes$));
  });

  it('throws at once for a wrong configuration', () => {
    expect(() => liveTable(5 as never)).toThrow('invalid-config');
    expect(() => liveTable(undefined as never)).toThrow('invalid-config');
    expect(() => liveTable({ key: undefined as never })).toThrow('invalid-config');
  });

  it('sends what is wrong with a row, and the error of its source, on', () => {
    expect(noted(of(ann(1), { player: {} as never, points: 1 }, ann(2)).pipe(liveTable({ key: 'player' })))).toEqual([[inserted(ann(1))], 'invalid-key']);
    expect(noted(of(ann(1), bob(1)).pipe(liveTable({ key: 'player', limits: { maxKeys: 1 } })))).toEqual([[inserted(ann(1))], 'limit-exceeded']);
    expect(noted(new Observable<Standing>((subscriber) => subscriber.error(new Error('gone'))).pipe(liveTable({ key: 'player' })))).toEqual(['gone']);
  });

  it('leaves its source where it is left, also in the middle of what a source emits at once', () => {
    let offered = 0;
    const endless$ = new Observable<Standing>((subscriber) => {
      while (!subscriber.closed) subscriber.next(ann(offered++));
    });

    expect(noted(endless$.pipe(liveTable({ key: 'player' }), take(2)))).toHaveLength(3);
    expect(offered).toBe(2);

    const rows$ = new Subject<Standing>();
    rows$.pipe(liveTable({ key: 'player' })).subscribe().unsubscribe();
    expect(rows$.observed).toBe(false);
  });
});

describe('liveTable, called back from inside next', () => {
  it('moves at once, and emits in the order in which it moved', () => {
    const rows$ = new Subject<Standing>(), table = openTable();
    const seen: string[] = [];
    rows$.pipe(liveTable(table)).subscribe((changes) => {
      const [change] = changes;
      if (change?.kind === 'delete') return seen.push('gone');
      seen.push(`${String(change?.after.points)} of ${String(table.get({ player: 'ann' })?.points)}`);
      if (change?.after.points !== 1) return undefined;
      rows$.next(ann(2));
      table.apply(ann(3));
      rows$.next(ann(4));
      return table.delete([{ player: 'ann' }]);
    });
    rows$.next(ann(1));

    expect(seen).toEqual(['1 of 1', '2 of undefined', '3 of undefined', '4 of undefined', 'gone']);
  });

  it('has what came before an error, and before the end, leave first', () => {
    for (const [end, last] of [[(rows$: Subject<Standing>) => rows$.complete(), 'complete'], [(rows$: Subject<Standing>) => rows$.next({ player: {} as never, points: 0 }), 'invalid-key']] as const) {
      const rows$ = new Subject<Standing>(), table = openTable(), notes: unknown[] = [];
      rows$.pipe(liveTable(table)).subscribe({
        next(changes) {
          notes.push(changes.length);
          if (notes.length > 1) return;
          rows$.next(ann(2));
          end(rows$);
          rows$.next(ann(3));
        },
        error: (error: unknown) => notes.push(told(error)),
        complete: () => notes.push('complete'),
      });
      rows$.next(ann(1));

      expect(notes).toEqual([1, 1, last]);
      expect(table.rows).toEqual([ann(2)]); // nothing moves behind the end
    }
  });

  it('takes a hundred thousand of them without a deep stack', () => {
    const rows$ = new Subject<Standing>();
    let last = 0;
    rows$.pipe(liveTable({ key: 'player' })).subscribe(([change]) => {
      if (change?.kind !== 'delete' && (last = change!.after.points) < 100_000) rows$.next(ann(last + 1));
    });
    rows$.next(ann(0));

    expect(last).toBe(100_000);
  });

  it('emits nothing more to whoever has left', () => {
    const rows$ = new Subject<Standing>(), seen: Changes[] = [];
    const subscription = rows$.pipe(liveTable({ key: 'player' })).subscribe((changes) => {
      seen.push(changes);
      rows$.next(ann(2));
      subscription.unsubscribe();
    });
    rows$.next(ann(1));

    expect(seen).toEqual([[inserted(ann(1))]]);
  });
});

describe("liveTable over the caller's table", () => {
  it('begins with the rows that are there as inserts, in one array: after a restore with the whole table', () => {
    const before = openTable(), table = openTable();
    before.apply([ann(1), bob(2)]);
    table.restore(before.snapshot());

    expect(noted(of(bob(3)).pipe(liveTable(table)))).toEqual([
      [inserted(ann(1)), inserted(bob(2))],
      [{ kind: 'update', before: bob(2), after: bob(3) }],
      'complete',
    ]);
    expect(noted(of(bob(3)).pipe(liveTable(table)))).toEqual([[inserted(ann(1)), inserted(bob(3))], 'complete']);
  });

  it('does not subscribe its source where the first rows were enough', () => {
    const table = openTable();
    let subscribed = false;
    const rows$ = defer(() => {
      subscribed = true;
      return of(bob(1));
    });
    table.apply(ann(1));

    expect(noted(rows$.pipe(liveTable(table), take(1)))).toEqual([[inserted(ann(1))], 'complete']);
    expect(subscribed).toBe(false);
  });

  it('emits what is applied and deleted by hand', () => {
    const table = openTable(), notes = noted(NEVER.pipe(liveTable(table)));
    table.apply([ann(1), bob(1)]);
    table.apply(ann(1));
    table.delete([{ player: 'bob' }]);

    expect(notes).toEqual([[inserted(ann(1)), inserted(bob(1))], [{ kind: 'delete', before: bob(1) }]]);
  });

  it('is one subscription at a time, which may begin in the end of the one before', () => {
    const table = openTable(), rows$ = new Subject<Standing>(), changes$ = rows$.pipe(liveTable(table));
    let later: unknown;
    const again = (): void => {
      later = noted(NEVER.pipe(liveTable(table)));
    };
    const first = changes$.subscribe();

    expect(noted(changes$)).toEqual(['engine-in-use']);
    table.apply(ann(1));
    first.unsubscribe();
    changes$.subscribe({ complete: again });
    rows$.complete();

    table.apply(bob(1));
    expect(later).toEqual([[inserted(ann(1))], [inserted(bob(1))]]);
  });

  it('is free again after an error', () => {
    const table = openTable();

    expect(noted(from([ann(1), 5 as never]).pipe(liveTable(table)))).toEqual([[inserted(ann(1))], 'invalid-key']);
    expect(noted(NEVER.pipe(liveTable(table)))).toEqual([[inserted(ann(1))]]);
  });

  it('is not restored while it is driven', () => {
    const table = openTable(), bytes = table.snapshot(), subscription = NEVER.pipe(liveTable(table)).subscribe();

    expect(() => table.restore(bytes)).toThrow('engine-in-use');
    subscription.unsubscribe();
    expect(() => table.restore(bytes)).not.toThrow();
  });
});
