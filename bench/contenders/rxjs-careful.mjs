import { buffer, mergeMap, Subject } from 'rxjs';
import { addTo, emptyTotals, firstAfter, rowOf } from './recomputed.mjs';

/** One pass over the events of a tick, one first-in-first-out list to find what expires, and only changed keys added up again. */
export default {
  title: 'RxJS by a careful user: batches by tick, an array per key, changed keys added up again',
  cannot: 'events out of order, delay, watermark, null, NaN, change detection; cost grows with the events in the window; keys stay for ever',
  values: (row) => row,
  refuses: () => undefined,
  start(query, emit) {
    const events$ = new Subject();
    const ticks$ = new Subject();
    const windows = new Windows(query);
    let frontier = 0;
    events$
      .pipe(
        buffer(ticks$),
        mergeMap((batch) => windows.rows(batch, frontier)),
      )
      .subscribe(({ key, row }) => emit(key, frontier, row));
    return {
      push: (event) => events$.next(event),
      tick(now) {
        frontier = now;
        ticks$.next();
      },
    };
  },
};

class Windows {
  keys = new Map();
  recent = [];

  constructor(query) {
    this.query = query;
    this.bounded = query.lookbacks.filter((lookback) => lookback < Infinity);
    this.longest = Math.max(...this.bounded);
    this.hasLifetime = query.lookbacks.includes(Infinity);
    this.heads = this.bounded.map(() => 0);
  }

  rows(batch, frontier) {
    const changed = new Set();
    for (const event of batch) {
      let state = this.keys.get(event.key);
      if (state === undefined) this.keys.set(event.key, (state = { events: [], totals: emptyTotals() }));
      state.events.push(event);
      if (this.hasLifetime) addTo(state.totals, event);
      this.recent.push(event);
      changed.add(event.key);
    }
    this.expire(frontier, changed);
    return Array.from(changed, (key) => ({ key, row: this.row(this.keys.get(key), frontier) }));
  }

  expire(frontier, changed) {
    const { recent, heads } = this;
    this.bounded.forEach((lookback, i) => {
      while (heads[i] < recent.length && recent[heads[i]].t <= frontier - lookback) changed.add(recent[heads[i]++].key);
    });
    const gone = Math.min(...heads);
    if (gone < 65_536 || gone * 2 < recent.length) return;
    recent.splice(0, gone);
    for (let i = 0; i < heads.length; i++) heads[i] -= gone;
  }

  row(state, frontier) {
    const gone = firstAfter(state.events, frontier - this.longest);
    if (gone > 0) state.events = state.events.slice(gone);
    return rowOf(state.events, frontier, this.query, state.totals);
  }
}
