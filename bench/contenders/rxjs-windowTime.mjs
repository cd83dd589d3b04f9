import { groupBy, map, mergeMap, reduce, Subject, windowTime } from 'rxjs';
import { addTo, emptyRow, emptyTotals, same } from './recomputed.mjs';
import { refusal, virtualTime, wholeTicks } from './virtualTime.mjs';

/** The same in operators alone: one overlapping window opens at each tick, with a group per key, reduced as events come. */
export default {
  title: 'RxJS windowTime(window, tick) with groupBy and reduce inside',
  cannot: 'as bufferTime; percentiles',
  values: (row) => row,
  clocked: true,
  silentAtFirst: true,
  refuses: (query) => (query.set === 'C' ? 'a percentile is no reduction' : refusal(query)),
  start(query, emit) {
    const { scheduler, moveTo } = virtualTime();
    const events$ = new Subject();
    let before = new Map();
    let rows = new Map();

    events$
      .pipe(
        windowTime(wholeTicks(query), query.tick, scheduler),
        mergeMap((window$) =>
          window$.pipe(
            groupBy(({ key }) => key),
            mergeMap((group$) => group$.pipe(reduce(add, undefined), map((totals) => ({ key: group$.key, row: rowOf(totals) })))),
          ),
        ),
      )
      .subscribe(({ key, row }) => rows.set(key, row));

    return {
      push: (event) => events$.next(event),
      tick(frontier) {
        moveTo(frontier);
        for (const [key, row] of rows) if (!same(before.get(key), row)) emit(key, frontier, row);
        for (const key of before.keys()) if (!rows.has(key)) emit(key, frontier, emptyRow(query.set));
        before = rows;
        rows = new Map();
      },
    };
  },
};

// The seed of `reduce` is one value for all windows, so the first event makes the state.
function add(totals = emptyTotals(), event) {
  addTo(totals, event);
  return totals;
}

function rowOf({ sum, count, lowest, highest }) {
  return [sum, count, sum / count, lowest, highest];
}
