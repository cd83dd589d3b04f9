import { distinctUntilChanged, filter, groupBy, map, merge, mergeMap, scan, Subject } from 'rxjs';
import { addTo, emptyTotals, rowOf, same } from './recomputed.mjs';

/** The answer found on the web, made right for what expires: each key keeps an array, filtered at each tick. */
export default {
  title: 'RxJS groupBy, then per key scan over events and ticks, filtering an array',
  cannot: 'events out of order, delay, watermark, null, NaN; each tick costs every event of every key; groups stay for ever',
  values: (row) => row,
  refuses: () => undefined,
  start(query, emit) {
    const events$ = new Subject();
    const ticks$ = new Subject();
    const longest = Math.max(...query.lookbacks.filter((lookback) => lookback < Infinity));
    const hasLifetime = query.lookbacks.includes(Infinity);

    const step = ({ events, totals }, next) => {
      if (typeof next === 'number') return { events: events.filter(({ t }) => t > next - longest), totals, frontier: next };
      events.push(next);
      if (hasLifetime) addTo(totals, next);
      return { events, totals, frontier: undefined };
    };
    events$
      .pipe(
        groupBy(({ key }) => key),
        mergeMap((group$) =>
          merge(group$, ticks$).pipe(
            scan(step, { events: [], totals: emptyTotals() }),
            filter(({ frontier }) => frontier !== undefined),
            map(({ events, totals, frontier }) => ({ frontier, row: rowOf(events, frontier, query, totals) })),
            distinctUntilChanged((a, b) => same(a.row, b.row)),
            map(({ frontier, row }) => ({ key: group$.key, frontier, row })),
          ),
        ),
      )
      .subscribe(({ key, frontier, row }) => emit(key, frontier, row));
    return { push: (event) => events$.next(event), tick: (frontier) => ticks$.next(frontier) };
  },
};
