import { alternate } from '../support/alternate.mjs';
import { built } from '../support/builtPackage.mjs';
import { eventsPerMs, namesOf, seeded } from '../workload.mjs';

const cycle = 1 << 16;

/** The same plan on streams that differ in disorder only, in alternating slices: the cost of each over that of the first. */
export default async function late({ keys, window, tick, delay, streams, seconds }) {
  const { avg, count, createEngine, max, min, preceding, range, sum } = await built('engine.js');
  const over = preceding(range(window));
  const measures = [sum('v').over(over), count('v').over(over), avg('v').over(over), min('v').over(over), max('v').over(over)];
  const keyNames = namesOf(keys);
  const runners = streams.map((stream) => {
    const engine = createEngine()({ partitionBy: 'key', orderBy: 't', frontierSpec: { delay }, measures });
    return new Disordered(stream, engine, keyNames, tick);
  });
  for (const runner of runners) runner.take(Math.max(2 * window * eventsPerMs, 50_000));
  return alternate(runners, { seconds });
}

class Disordered {
  next = 0;

  /** `share` of the events come up to `by` milliseconds late, all lengths alike. */
  constructor({ name, share, by }, engine, keyNames, tick) {
    this.name = name;
    this.engine = engine;
    this.keyNames = keyNames;
    // Without a tick each event is an evaluation.
    this.batch = tick === 0 ? 1 : tick * eventsPerMs;
    const draw = seeded(7);
    this.lateBy = Float64Array.from({ length: cycle }, () => (draw() < share ? draw() * by : 0));
    this.keys = Int32Array.from({ length: cycle }, () => Math.floor(draw() * keyNames.length));
    this.values = Float64Array.from({ length: cycle }, () => draw() * 100);
  }

  run(batches) {
    return this.take(batches * this.batch);
  }

  take(count) {
    const { engine, batch } = this;
    for (const end = this.next + count; this.next < end; this.next++) {
      const i = this.next, at = i & (cycle - 1), now = i / eventsPerMs;
      engine.push({ key: this.keyNames[this.keys[at]], t: now - this.lateBy[at], v: this.values[at] }, now);
      if ((i + 1) % batch === 0) engine.advance(now);
    }
    return count;
  }
}
