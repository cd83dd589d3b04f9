import { contender } from '../contenders/index.mjs';
import { alternate } from '../support/alternate.mjs';
import { built } from '../support/builtPackage.mjs';
import { Replay } from '../support/replay.mjs';
import { query as queryOf, Stream } from '../workload.mjs';

/** Two contenders in alternating slices over the same stream: what one event costs each, and ours over theirs. */
export default async function pair({ ours, theirs, cell, tick, set, seconds, fillSeconds, until, otherPlans = 0 }) {
  const query = queryOf(cell, tick, set);
  const stream = new Stream(query.keyNames, query.byZipf);
  const plans = await keepOtherPlans(otherPlans);
  // Theirs first: if it can't fill its window, ours need not.
  const replays = [];
  for (const name of [theirs, ours]) {
    const competitor = await contender(name);
    if (!competitor) return { skipped: 'not installed (npm --prefix bench install)' };
    const refused = competitor.refuses(query);
    if (refused) return { skipped: refused };
    const replay = new Replay(name, competitor, query, stream);
    await replay.start();
    const filled = await replay.fill(fillSeconds);
    if (filled < 1) return { skipped: `filled ${Math.round(filled * 100)}% of its first window in ${fillSeconds} s` };
    replays.push(replay);
  }
  const [other, own] = await alternate(replays, { seconds, until });
  const [otherReplay, ownReplay] = replays;
  return {
    ratio: own.ratio,
    mean: own.mean,
    ours: { ns: own.ns, rows: ownReplay.rows / ownReplay.next },
    theirs: { ns: other.ns, rows: otherReplay.rows / otherReplay.next },
    slices: own.slices,
    // Overlapping windows of RxJS are whole ticks long.
    rounded: otherReplay.contender.clocked === true && query.window % tick !== 0,
    plans: plans.length,
  };
}

/** Plans with other column names, warmed and kept: shared code that read one shape of event now reads several. */
async function keepOtherPlans(count) {
  if (count === 0) return [];
  const { avg, createEngine, max, preceding, range, sum } = await built('engine.js');
  return Array.from({ length: count }, (_, n) => {
    const over = preceding(range(100));
    const engine = createEngine()({ partitionBy: `key${n}`, orderBy: `t${n}`, measures: [sum, avg, max].map((measure) => measure(`v${n}`).over(over)) });
    for (let i = 0; i < 50_000; i++) {
      engine.push({ [`key${n}`]: `x${i & 7}`, [`t${n}`]: i, [`v${n}`]: i / 64 }, i);
      if (i % 50 === 0) engine.advance(i);
    }
    return engine;
  });
}
