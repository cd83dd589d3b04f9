import { of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { count } from '../../../operators/index.ts';
import { LiveWindows } from '../../../src/liveTable/core.ts';
import { windowPlan } from '../../../src/windowFunctions/core.ts';
import { createLiveTable, desc, lag, liveTable, rank, Window, windowFunctions, type RowChange, type TableInput } from '../../../operators/windowFunctions/index.ts';

interface Standing {
  readonly player: string;
  readonly team: string;
  readonly points: number;
}
const standing = (player: string, team: string, points: number): Standing => ({ player, team, points });
const perTeam = Window.partitionBy('team').orderBy(desc('points'));

/** A table with its windows, fed by hand. `looks` is how often a row was looked at to compute the windows of its team. */
function board() {
  const rows$ = new Subject<TableInput<Standing, { readonly player: string }>>(), table = createLiveTable<Standing>()({ key: 'player' });
  const emitted: (readonly RowChange<object>[])[] = [], looks: string[] = [];
  const seen = count().over(Window.partitionBy('team')).filter<Standing>(({ team }) => looks.push(team) > 0).as('team_size');
  rows$.pipe(liveTable(table), windowFunctions({ columns: [rank().over(perTeam).as('rank'), seen] })).subscribe((changes) => emitted.push(changes));
  const take = (): readonly (readonly RowChange<object>[])[] => emitted.splice(0);
  return { rows$, table, take, looks: () => looks.splice(0).sort().join('') };
}

const ranked = (player: string, team: string, points: number, rank: number, size: number) => ({ player, team, points, rank, team_size: size });

/** The code of the error that a stream ends with, behind how many values came. */
function endOf(changes: readonly unknown[]): unknown[] {
  const notes: unknown[] = [];
  of(...(changes as (readonly RowChange<Standing>[])[])).pipe(windowFunctions({ columns: [rank().over(perTeam)] })).subscribe({ next: () => notes.push('value'), error: (error: unknown) => notes.push((error as { code: string }).code) });
  return notes;
}

describe('windowFunctions over the changes of a live table', () => {
  it('emits rows whose own columns or new columns are others than before, each with the row that left last', () => {
    const { rows$, take } = board();
    rows$.next([standing('ann', 'a', 3), standing('bob', 'a', 5), standing('cid', 'b', 1)]);
    const [first] = take();
    expect(first).toEqual([
      { kind: 'insert', after: ranked('ann', 'a', 3, 2, 2) },
      { kind: 'insert', after: ranked('bob', 'a', 5, 1, 2) },
      { kind: 'insert', after: ranked('cid', 'b', 1, 1, 1) },
    ]);

    rows$.next(standing('ann', 'a', 4)); // its own column alone
    expect(take()).toEqual([[{ kind: 'update', before: ranked('ann', 'a', 3, 2, 2), after: ranked('ann', 'a', 4, 2, 2) }]]);
    rows$.next(standing('ann', 'a', 6)); // they change places
    const [swapped] = take();
    expect(swapped).toEqual([
      { kind: 'update', before: ranked('ann', 'a', 4, 2, 2), after: ranked('ann', 'a', 6, 1, 2) },
      { kind: 'update', before: ranked('bob', 'a', 5, 1, 2), after: ranked('bob', 'a', 5, 2, 2) },
    ]);
    const [, bob] = swapped!, [, inserted] = first!;
    expect(bob?.kind === 'update' && inserted?.kind === 'insert' && bob.before === inserted.after).toBe(true);

    rows$.next({ rows: [], removed: [{ player: 'ann' }] });
    expect(take()).toEqual([[{ kind: 'delete', before: ranked('ann', 'a', 6, 1, 2) }, { kind: 'update', before: ranked('bob', 'a', 5, 2, 2), after: ranked('bob', 'a', 5, 1, 1) }]]);
  });

  it('computes only the partitions that rows were in and are in, once for each input', () => {
    const { rows$, looks } = board();
    rows$.next([standing('ann', 'a', 1), standing('bob', 'b', 1), standing('cid', 'b', 2), standing('dan', 'c', 1)]);
    expect(looks()).toBe('abbc');
    rows$.next([standing('bob', 'b', 3), standing('cid', 'b', 4), standing('bob', 'b', 5)]);
    expect(looks()).toBe('bb');
    rows$.next(standing('cid', 'a', 4));
    expect(looks()).toBe('aab');
    rows$.next({ rows: [standing('ann', 'a', 1)], removed: [{ player: 'dan' }] }); // ann is as she was, and c is empty
    expect(looks()).toBe('');
  });

  it('computes each partition of a first load once', () => {
    const { rows$, looks, take } = board();
    rows$.next(Array.from({ length: 2000 }, (_, i) => standing(`p${i}`, `t${i % 20}`, i % 7)));

    expect(looks()).toHaveLength(Array.from({ length: 2000 }, (_, i) => `t${i % 20}`).join('').length);
    expect(take()[0]).toHaveLength(2000);
  });

  it('has equals stand in the order in which their keys came, also in a team that they moved to', () => {
    const table = createLiveTable<Standing>()({ key: 'player' }), ahead: unknown[] = [];
    const rows$ = new Subject<Standing | Standing[]>();
    rows$.pipe(liveTable(table), windowFunctions({ columns: [lag('player').over(perTeam).as('ahead')] })).subscribe((changes) => {
      for (const change of changes) if (change.kind !== 'delete') ahead.push([change.after.player, change.after.ahead]);
    });
    rows$.next([standing('ann', 'a', 1), standing('bob', 'b', 1), standing('cid', 'a', 1), standing('dan', 'b', 1)]);
    expect(ahead.splice(0)).toEqual([['ann', null], ['bob', null], ['cid', 'ann'], ['dan', 'bob']]);
    rows$.next(standing('bob', 'a', 1));
    expect(ahead).toEqual([['bob', 'ann'], ['cid', 'bob'], ['dan', null]]);
  });

  it('takes changes that were put together, and emits what they came to', () => {
    const table = createLiveTable<Standing>()({ key: 'player' });
    const changes = [
      ...table.apply([standing('ann', 'a', 1), standing('bob', 'a', 2)]),
      ...table.apply([standing('bob', 'b', 3)]),
      ...table.delete([{ player: 'ann' }]),
      ...table.apply([standing('ann', 'b', 4)]),
    ];
    let emitted: unknown;
    of(changes).pipe(windowFunctions({ columns: [rank().over(perTeam).as('rank')] })).subscribe((made) => (emitted = made));

    expect(emitted).toEqual([
      { kind: 'insert', after: { ...standing('bob', 'b', 3), rank: 2 } },
      { kind: 'insert', after: { ...standing('ann', 'b', 4), rank: 1 } },
    ]);
  });

  it('emits nothing where changes that were put together come to nothing', () => {
    const table = createLiveTable<Standing>()({ key: 'player' }), emitted: unknown[] = [];
    const first = table.apply([standing('ann', 'a', 1), standing('bob', 'a', 2)]), there = table.apply(standing('ann', 'a', 3)), back = table.apply(standing('ann', 'a', 1));
    of(first, [...there, ...back]).pipe(windowFunctions({ columns: [rank().over(perTeam)] })).subscribe((made) => emitted.push(made.length));

    expect(emitted).toEqual([2]);
  });

  it('keeps nothing of partitions that are empty, nor of rows that went', () => {
    const live = new LiveWindows(windowPlan({ columns: [rank().over(perTeam)] })), table = createLiveTable<Record<string, unknown>>()({ key: 'player' as never });
    for (let i = 0; i < 100; i++) live.take(table.apply({ player: i % 2, team: i, points: 0 }));
    const { rows, windows } = live as unknown as { rows: Map<unknown, unknown>; windows: { keys: { size: number; room: number }; slots: Map<unknown, unknown> }[] };

    expect([rows.size, windows[0]!.keys.size, windows[0]!.slots.size]).toEqual([2, 2, 2]);
    expect(windows[0]!.keys.room).toBeLessThan(5);
  });

  it('gives what is fed from inside next after what is leaving', () => {
    const rows$ = new Subject<Standing>(), ranks: unknown[] = [];
    rows$.pipe(liveTable({ key: 'player' }), windowFunctions({ columns: [rank().over(perTeam).as('rank')] })).subscribe((changes) => {
      for (const change of changes) if (change.kind !== 'delete') ranks.push(`${change.after.player} ${change.after.rank}`);
      if (ranks.length === 1) rows$.next(standing('bob', 'a', 2));
      ranks.push('.');
    });
    rows$.next(standing('ann', 'a', 1));

    expect(ranks).toEqual(['ann 1', '.', 'ann 2', 'bob 1', '.']);
  });
});

describe('what can go wrong with changes', () => {
  const ann = standing('ann', 'a', 1), inserted = { kind: 'insert', after: ann };

  it('is a change of a row that is not there, or is there already', () => {
    expect(endOf([[{ kind: 'update', before: ann, after: standing('ann', 'a', 2) }]])).toEqual(['invalid-value']);
    expect(endOf([[inserted], [{ kind: 'delete', before: { ...ann } }]])).toEqual(['value', 'invalid-value']);
    expect(endOf([[inserted], [inserted]])).toEqual(['value', 'invalid-value']);
    expect(endOf([[inserted], [{ kind: 'update', before: ann, after: { ...ann } }], [{ kind: 'delete', before: ann }]])).toEqual(['value', 'invalid-value']);
  });

  it('is a row whose partition is no key, or that has a column of the name already', () => {
    expect(endOf([[{ kind: 'insert', after: { ...ann, team: {} } }]])).toEqual(['invalid-key']);
    expect(endOf([[{ kind: 'insert', after: { ...ann, 'rank()': 1 } }]])).toEqual(['duplicate-column']);
  });

  it('is not that rows look a little like changes', () => {
    interface Logged {
      readonly kind: string;
      readonly team: string;
      readonly points: number;
      readonly before?: number;
      readonly after?: object;
    }
    const lists: Logged[][] = [[{ kind: 'insert', team: 'a', points: 1 }], [{ kind: 'delete', team: 'a', points: 2, before: 1 }], [{ kind: 'insert', team: 'a', points: 3, after: {} }, { kind: 'insert', team: 'a', points: 4 }], []];
    const emitted: unknown[] = [];
    of(...lists).pipe(windowFunctions({ columns: [rank().over(perTeam)] })).subscribe((longer) => emitted.push(longer.map((row) => row['rank()'])));

    expect(emitted).toEqual([[1], [1], [2, 1], []]);
  });
});
