import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { count, createEngine, manual, preceding, range, rollingBatches, sum } from '../../../operators/index.ts';
import { createLiveTable, desc, liveTable, rank, Window, windowColumns, windowFunctions, type RowChange } from '../../../operators/windowFunctions/index.ts';
import { TableOfChanges } from '../../support/tableOfChanges.ts';

interface Hit {
  readonly k: string;
  readonly v: number;
  readonly t: number;
}
const over = preceding(range(10));
const openEngine = () => createEngine<Hit>()({ partitionBy: 'k', orderBy: 't', measures: [sum('v').over(over).as('v'), count().over(over).as('n')] });
const openTable = () => createLiveTable<{ k: string; __frontier: number; v: number | null; n: number }>()({ key: 'k' });
const columns = [rank().over(Window.orderBy(desc('v'))).as('rank')] as const;

/** One life of the program: an engine, a table and a leaderboard, driven together. Where it is to end, both are saved inside `next`. */
function live(engine = openEngine(), table = openTable()) {
  const hits$ = new Subject<Hit>(), clock$ = new Subject<number>(), consumer = new TableOfChanges<object>();
  let saved: readonly [Uint8Array, Uint8Array] = [engine.snapshot(), table.snapshot()];
  const changes$ = hits$.pipe(rollingBatches(engine, { trigger: manual(clock$) }), liveTable(table), windowFunctions({ columns }));
  const emitted: (readonly RowChange<object>[])[] = [];
  changes$.subscribe((changes) => {
    saved = [engine.snapshot(), table.snapshot()];
    emitted.push(changes);
  });
  const board = (): readonly object[] => {
    for (const changes of emitted.splice(0)) consumer.take(changes);
    return consumer.rows;
  };
  return { hits$, clock$, table, board, saved: () => saved };
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ k: fc.constantFrom('a', 'b', 'c', 'd'), v: fc.nat(5) }, { noNullPrototype: true }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.constant('crash' as const) },
);

test('a leaderboard behind rollingBatches, restarted from what was saved inside next, is the one that was never stopped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const whole = live();
      let part = live(), now = 0, since: (Hit | number)[] = [];
      const feed = (what: Hit | number, into: typeof whole): void => (typeof what === 'number' ? into.clock$.next(what) : into.hits$.next(what));
      /** Feeds the life that may end; what was saved since needs not be fed again. */
      const feedPart = (what: Hit | number): void => {
        const before = part.saved();
        since.push(what);
        feed(what, part);
        if (part.saved() !== before) since = [];
      };
      for (const what of steps) {
        if (what === 'crash') {
          const engine = openEngine(), table = openTable(), again = since;
          engine.restore(part.saved()[0]);
          table.restore(part.saved()[1]);
          part = live(engine, table);
          since = [];
          again.forEach(feedPart);
        } else {
          if (typeof what === 'number') now += what;
          const given = typeof what === 'number' ? now : { ...what, t: now };
          feed(given, whole);
          feedPart(given);
        }
        expect(new Set(part.board())).toEqual(new Set(whole.board()));
        expect(part.board()).toEqual(windowColumns(part.table.rows, { columns }));
      }
    }),
    { numRuns: 500 },
  );
}, 60_000);
