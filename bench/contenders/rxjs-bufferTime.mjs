import { bufferTime, Subject } from 'rxjs';
import { emptyRow, quantiles, same, summary } from './recomputed.mjs';
import { refusal, virtualTime, wholeTicks } from './virtualTime.mjs';

/** One overlapping buffer opens at each tick, and is grouped by key and added up when it closes. */
export default {
  title: 'RxJS bufferTime(window, tick): overlapping buffers, grouped and added up as each closes',
  cannot: 'events by their own time, windows that are no multiple of the tick (rounded here), several lookbacks, rows before the first whole window',
  values: (row) => row,
  clocked: true,
  silentAtFirst: true,
  refuses: (query) => refusal(query) ?? tooLarge(query),
  start(query, emit) {
    const { scheduler, moveTo } = virtualTime();
    const events$ = new Subject();
    const measure = query.set === 'C' ? quantiles : summary;
    let rows = new Map();
    let frontier = 0;

    events$.pipe(bufferTime(wholeTicks(query), query.tick, scheduler)).subscribe((events) => {
      const before = rows;
      rows = new Map();
      for (const [key, group] of groups(events)) {
        const row = measure(group);
        rows.set(key, row);
        if (!same(before.get(key), row)) emit(key, frontier, row);
      }
      for (const key of before.keys()) if (!rows.has(key)) emit(key, frontier, emptyRow(query.set));
    });
    return {
      push: (event) => events$.next(event),
      tick(now) {
        frontier = now;
        moveTo(now);
      },
    };
  },
};

/** Each event stands in every buffer that is open. */
function tooLarge(query) {
  const open = wholeTicks(query) / query.tick;
  const references = (open * query.keyNames.length * query.perKey) / 2;
  return references > 1e8 ? `${open} open buffers would hold ${Math.round(references / 1e6)} million references` : undefined;
}

function groups(events) {
  const byKey = new Map();
  for (const event of events) {
    const group = byKey.get(event.key);
    if (group) group.push(event);
    else byKey.set(event.key, [event]);
  }
  return byKey;
}
