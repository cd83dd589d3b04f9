import engine from '../contenders/engine.mjs';
import { quantile } from '../support/statistics.mjs';
import { query as queryOf, Stream } from '../workload.mjs';

/**
 * How long one event can take while the window fills up: wall time of each `push` and `advance`, every event an
 * evaluation. `control` does the same steps with a plain array instead of the engine: what it shows is the machine.
 */
export default async function pauses({ cell, control }) {
  const query = queryOf(cell, 1, 'A');
  const stream = new Stream(query.keyNames, false);
  const count = query.keyNames.length * query.perKey;
  const warm = 50_000;
  let rows = 0;
  const entry = control ? new PlainArray() : engine.start(query, () => rows++);
  const warmUp = control ? entry : engine.start(query, () => rows++);
  timed(warmUp, stream, warm); // the code, not the store that is measured
  const taken = timed(entry, stream, count);
  const longest = taken.reduce((at, ms, i) => (ms > taken[at] ? i : at), 0);
  const sorted = taken.slice().sort();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), p999: quantile(sorted, 0.999), p9999: quantile(sorted, 0.9999), max: sorted[count - 1], at: longest };
}

function timed(entry, stream, count) {
  const taken = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const event = stream.event(i);
    const start = performance.now();
    entry.push(event);
    entry.tick(event.t);
    taken[i] = performance.now() - start;
  }
  return taken;
}

class PlainArray {
  events = [];

  push(event) {
    this.events.push(event);
  }

  tick() {}
}
