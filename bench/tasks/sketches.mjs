// @ts-check
import { built } from '../support/builtPackage.mjs';
import { cpuMs } from '../support/cpu.mjs';
import { Stream } from '../workload.mjs';

const probabilities = [0.5, 0.95, 0.99];
/** Values between two readings of the CPU time. */
const slice = 5000;
/** States that are filled to weigh one. */
const copies = 100;

/** What percentiles can be kept in, as a measure's aggregate: over a frame where it can take values out, else over a lifetime. */
export async function aggregateOf(name) {
  const { approxPercentile, preceding, range } = await built('engine.js');
  const { datadogSketch, tdigest } = await built('sketches.js');
  const frame = preceding(range(1));
  switch (name) {
    case 'exact':
      return approxPercentile('v', probabilities).over(frame).aggregate;
    case 'ours, 1 %':
      return approxPercentile('v', probabilities, { relativeAccuracy: 0.01 }).over(frame).aggregate;
    case 'ours, 0.1 %':
      return approxPercentile('v', probabilities, { relativeAccuracy: 0.001 }).over(frame).aggregate;
    case '@datadog/sketches-js, 1 %':
      return approxPercentile('v', probabilities, { sketch: datadogSketch() }).aggregate;
    case 'tdigest':
      return approxPercentile('v', probabilities, { sketch: tdigest() }).aggregate;
    default:
      throw new Error(`There is no structure ${name}`);
  }
}

/** Values go in, and where they can, out; three percentiles are read; the memory is that of a state. */
export default async function sketches({ name, size, seconds }) {
  const aggregate = await aggregateOf(name);
  const stream = new Stream(['k'], false, 1 << 17);
  const value = (i) => stream.event(i % (1 << 17)).v;
  const values = Float64Array.from({ length: size + slice }, (_, i) => value(i));
  const filled = () => values.subarray(0, size).reduce((state, one) => aggregate.reduce(state, one), aggregate.zero());
  let state = filled(); // compiled before memory is looked at
  const before = await held();
  const others = Array.from({ length: copies }, filled);
  const bytes = ((await held()) - before) / others.length;
  const error = worstError(aggregate.finish(state), values.slice(0, size).sort());

  const moves = [], answers = [];
  let at = size;
  for (const end = cpuMs() + seconds * 1000; cpuMs() < end; at += slice) {
    const incoming = Float64Array.from({ length: slice }, (_, i) => value(at + i));
    const outgoing = Float64Array.from({ length: slice }, (_, i) => value(at - size + i));
    const start = cpuMs();
    for (let i = 0; i < slice; i++) {
      state = aggregate.reduce(state, incoming[i]);
      if (aggregate.retract) state = aggregate.retract(state, outgoing[i]);
    }
    const middle = cpuMs();
    for (let i = 0; i < slice / 50; i++) aggregate.finish(state);
    answers.push(((cpuMs() - middle) * 1e6) / (slice / 50));
    moves.push(((middle - start) * 1e6) / slice);
  }
  const settled = (times) => times.slice(times.length >> 1);
  return { moves: settled(moves), answers: settled(answers), bytes, error };
}

async function held() {
  for (let i = 0; i < 10; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 5)); // array buffers are given back behind the collector's back
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function worstError(given, sorted) {
  return Math.max(...given.map((value, i) => Math.abs(value / sorted[Math.ceil(probabilities[i] * sorted.length) - 1] - 1)));
}
