import { asyncScheduler, Subject } from 'rxjs';
import { built } from '../support/builtPackage.mjs';
import { namesOf } from '../workload.mjs';

const start = 1_767_225_600_000;
const every = 1000;
/** From one key to the next, so that each comes once before the first one comes again. */
const stride = 7919;

/**
 * The longest time between two turns of a loop that feeds a pipe whose state is large, in milliseconds: with checkpoints into
 * memory, and without. A tenth of the keys changes between two checkpoints.
 */
export default async function checkpointPauses({ keys, events, seconds }) {
  const [{ createEngine, sum, preceding, range, rollingWindow, manual }, { memoryStore }] = await Promise.all([built('index.js'), built('checkpoint.js')]);
  const names = namesOf(keys), pauses = {};
  for (const kind of ['control', 'checkpoints']) {
    const engine = createEngine()({ partitionBy: 'key', orderBy: 't', maxFutureSkew: false, measures: [sum('v').over(preceding(range(1e9)))] });
    for (let i = 0; i < events; i++) for (let k = 0; k < keys; k++) engine.push({ key: names[k], t: start + i, v: k }, start + events);
    engine.advance(start + events);
    const events$ = new Subject(), clock$ = new Subject(), saves = [];
    let sent = 0;
    const checkpoint = kind === 'control' ? undefined : { store: memoryStore(), every, saved: ({ id }) => saves.push(id) };
    const subscription = events$.pipe(rollingWindow(engine, { scheduler: asyncScheduler, trigger: manual(clock$), ...(checkpoint && { checkpoint }) })).subscribe();
    pauses[kind] = await longestPause(seconds, keys / 10 / every, (turn, count) => {
      const now = start + events + turn;
      for (let i = 0; i < count; i++) events$.next({ key: names[(sent++ * stride) % keys], t: now, v: 1 });
      clock$.next(now);
    });
    pauses[kind].saves = saves.length;
    subscription.unsubscribe();
  }
  return pauses;
}

/** Takes turns, a millisecond apart; feeds as many events as are due by then. */
function longestPause(seconds, perMs, feed) {
  return new Promise((resolve) => {
    const begin = performance.now(), gaps = [];
    let last = begin, turn = 0;
    const next = () => {
      const now = performance.now();
      gaps.push(now - last);
      feed(++turn, Math.min(1000, Math.round((now - last) * perMs)));
      last = now;
      if (now - begin < seconds * 1000) setTimeout(next, 1);
      else resolve({ longest: Math.max(...gaps), turns: gaps.length, above20: gaps.filter((gap) => gap > 20).length });
    };
    setTimeout(next, 1);
  });
}
