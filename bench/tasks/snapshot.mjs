import { built } from '../support/builtPackage.mjs';
import { cpuMs } from '../support/cpu.mjs';
import { namesOf, seeded } from '../workload.mjs';

const start = 1_767_225_600_000;
const gap = 6_000;

/** The state at rest: milliseconds of CPU to write and to read it, over those of a plain loop over two arrays of the same events. */
export default async function snapshot({ keys, events, rounds }) {
  const [{ createEngine, sum, preceding, range }, { internalsOf }, { readChain }] = await Promise.all([built('engine.js'), built('src/internals.js'), built('src/checkpoint/chain.js')]);
  const names = namesOf(keys), draw = seeded(12345), times = new Float64Array(keys * events), values = new Float64Array(keys * events);
  for (let k = 0; k < keys; k++) {
    let t = start + Math.floor(draw() * 600_000);
    for (let i = k * events; i < (k + 1) * events; i++) {
      t += Math.floor(draw() * gap);
      times[i] = t;
      values[i] = Math.round(draw() * 100_000) / 100;
    }
  }
  const end = start + gap * events + 600_000;
  const open = () => createEngine()({ partitionBy: 'key', orderBy: 't', maxFutureSkew: false, measures: [sum('v').over(preceding(range(2 * (end - start))))] });
  const engine = open();
  for (let i = 0; i < events; i++) for (let k = 0; k < keys; k++) engine.push({ key: names[k], t: times[k * events + i], v: values[k * events + i] }, end);
  engine.advance(end);

  const plain = encodePlain(names, times, values, events), bytes = engine.snapshot();
  const costs = { plainWrite: [], write: [], plainRead: [], read: [] };
  for (let round = 0; round < rounds; round++) {
    costs.plainWrite.push(costOf(() => encodePlain(names, times, values, events)));
    costs.write.push(costOf(() => engine.snapshot()));
    costs.plainRead.push(costOf(() => sumOf([decodePlain(plain)])));
    costs.read.push(costOf(() => sumOf(readChain([bytes]).slices.map(columnsOf))));
  }
  const dirty = keys / 10;
  touch(engine, names, 0, dirty, end + 1);
  let part;
  const delta = costOf(() => (part = engine.snapshot({ delta: true })));
  const restored = open(), restore = costOf(() => restored.restore([bytes, part]));
  const pauses = { base: [], delta: [], control: [] };
  for (let round = 0, now = end + 2; round < rounds; round++) {
    for (const kind of ['control', 'base', 'delta']) {
      touch(engine, names, round, dirty, now++);
      const taking = kind === 'control' ? undefined : internalsOf(engine).startPart({ delta: kind === 'delta' });
      pauses[kind].push(pausesOf(taking, (step) => touch(engine, names, step, dirty / 1000, now++)));
    }
  }
  return { costs, perEvent: bytes.length / (keys * events), delta, deltaBytes: part.length, pauses, restore };
}

/** Events of so many keys, each of another tenth of them from a first one on; then an evaluation. */
function touch(engine, names, first, count, now) {
  for (let k = 0; k < count; k++) engine.push({ key: names[(first + k * 10) % names.length], t: now, v: 1 }, now);
  engine.advance(now);
}

/**
 * The longest time that a step of a part holds the engine up, and how long its finish does, in milliseconds of the wall. One
 * key in a hundred changes between the steps. Without a part: the longest of as many empty steps, which is what the machine
 * does by itself.
 */
function pausesOf(part, between) {
  const took = [];
  const timed = (action) => {
    const from = performance.now(), result = action();
    took.push(performance.now() - from);
    return result;
  };
  for (let step = 0, more = true; more; step++) {
    more = timed(() => (part ? part.step() : step < emptySteps));
    if (step < 100) between(step);
  }
  const step = Math.max(...took);
  if (part) timed(() => part.finish());
  return { step, finish: took.at(-1) };
}

const emptySteps = 100;

function costOf(action) {
  globalThis.gc();
  const from = cpuMs();
  action();
  return cpuMs() - from;
}

/** The times and values of a slice, which are decoded as they are looked at. */
const columnsOf = ({ events }) => ({ get times() { return events.times.times; }, length: events.times.length, values: events.numbers[0] });

/** Looks at every event: who only holds bytes has decoded nothing. */
function sumOf(slices) {
  let sum = 0;
  for (const slice of slices) {
    const { times, values } = slice, { length } = slice;
    for (let i = 0; i < length; i++) sum += times[i] + values.at(i);
  }
  return sum;
}

/** The control: names, then per key the distances of its times as varints, then values as they lie. */
function encodePlain(names, times, values, events) {
  const text = new TextEncoder().encode(names.join('\0'));
  let bytes = new Uint8Array(1 << 20), at = 0;
  for (let k = 0; k < names.length; k++) {
    if (at + events * 10 > bytes.length) {
      const bigger = new Uint8Array(bytes.length * 2);
      bigger.set(bytes);
      bytes = bigger;
    }
    let before = start;
    for (let i = k * events; i < (k + 1) * events; i++) {
      let distance = times[i] - before;
      before = times[i];
      for (; distance >= 128; distance = Math.floor(distance / 128)) bytes[at++] = (distance % 128) | 128;
      bytes[at++] = distance;
    }
  }
  const parts = [new Uint8Array(Uint32Array.of(names.length, text.length, events, at).buffer), text, bytes.subarray(0, at), new Uint8Array(values.buffer)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

function decodePlain(whole) {
  const [keys, textLength, events, timesLength] = new Uint32Array(whole.buffer, whole.byteOffset, 4);
  const names = new TextDecoder().decode(whole.subarray(16, 16 + textLength)).split('\0'), times = new Float64Array(keys * events);
  let at = 16 + textLength;
  const end = at + timesLength;
  for (let k = 0, i = 0; k < keys; k++) {
    let time = start;
    for (let left = events; left > 0; left--) {
      let byte, factor = 1;
      do {
        byte = whole[at++];
        time += (byte & 127) * factor;
        factor *= 128;
      } while (byte > 127);
      times[i++] = time;
    }
  }
  return { names, times, values: new Float64Array(whole.slice(end).buffer) };
}
