import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { built } from '../support/builtPackage.mjs';
import { median, total } from '../support/statistics.mjs';
import { threadCpuMs } from '../support/threadCpu.mjs';
import { namesOf, seeded } from '../workload.mjs';

/** Milliseconds from one arrival of events to the next: as messages of a socket bring them, several at a time. */
const APART = 4;
/** Milliseconds from one frame to the next. */
const FRAME = 16;
/** Milliseconds for which one way is offered events before the next one is. */
const TURN = 400;

/**
 * What an event costs the main thread, in CPU time, at a steady rate on the clock: each way takes turns in one process,
 * and what the same turn costs with nobody to take the events is subtracted.
 */
export default async function worker({ rate, keys, seconds }) {
  const events = ring(keys, rate);
  const ways = { nobody: nobody(), array: intoArray(events, true), codes: intoArray(events, false), proxy: await throughProxy(keys) };
  const costs = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  const rounds = Math.ceil((seconds * 1000) / TURN);
  for (let round = -2; round < rounds; round++) {
    for (const [name, way] of round % 2 === 0 ? Object.entries(ways) : Object.entries(ways).toReversed()) {
      const cost = await turn(way, events, rate);
      if (round >= 0) costs[name].push(cost);
    }
  }
  await ways.proxy.end();
  const ns = (name) => median(costs[name].map((cost, i) => cost - costs.nobody[i]));
  const mean = (name) => (total(costs[name]) - total(costs.nobody)) / rounds;
  return { nobody: median(costs.nobody), rows: ways.proxy.rows / ways.proxy.frames, ...Object.fromEntries(['array', 'codes', 'proxy'].map((name) => [name, { ns: ns(name), mean: mean(name) }])) };
}

/** One turn: nanoseconds of the main thread per event. */
async function turn(way, events, rate) {
  await sleep(20);
  const cpu = threadCpuMs(), start = performance.now();
  let taken = 0, frame = FRAME;
  for (let elapsed = 0; elapsed < TURN; elapsed = performance.now() - start) {
    const now = Date.now(), due = Math.floor((Math.min(elapsed, TURN) * rate) / 1000);
    for (; taken < due; taken++) {
      const event = events[taken & (events.length - 1)];
      event.t = now;
      way.take(event, now);
    }
    if (elapsed >= frame) {
      way.frame?.(now);
      frame = elapsed + FRAME - (elapsed % FRAME);
    }
    await sleep(APART);
  }
  await sleep(20);
  return ((threadCpuMs() - cpu) * 1e6) / taken;
}

function ring(keys, rate) {
  const names = namesOf(keys), draw = seeded(5);
  const length = 2 ** Math.ceil(Math.log2(rate / 10));
  return Array.from({ length }, () => ({ key: names[Math.floor(draw() * keys)], t: 0, v: draw() * 100 }));
}

const nobody = () => ({ seen: 0, take({ t }) { this.seen += t; } });

/** The same columns into one typed array; the text by its code, which is looked up, or was written on the event before. */
function intoArray(events, looksUp) {
  const cells = new Float64Array(3 * 2048), codes = new Map();
  for (const { key } of events) if (!codes.has(key)) codes.set(key, codes.size);
  let count = 0;
  return {
    take(event, now) {
      const at = count * 3;
      cells[at] = looksUp ? codes.get(event.key) : 7;
      cells[at + 1] = event.t;
      cells[at + 2] = event.v;
      count = count === 2047 ? 0 : count + 1;
    },
  };
}

async function throughProxy(keys) {
  const { engineProxy } = await built('worker.js');
  const thread = new Worker(new URL('../support/engineWorker.mjs', import.meta.url), { workerData: { window: 5000 } });
  const proxy = engineProxy(thread, { columns: ['key', 't', 'v'] });
  await proxy.stats();
  const way = {
    rows: 0,
    frames: 0,
    isOnItsWay: false,
    take: (event, now) => proxy.push(event, now),
    frame(now) {
      if (way.isOnItsWay) return;
      way.isOnItsWay = true;
      proxy.advance(now).then(({ rows }) => {
        way.isOnItsWay = false;
        way.rows += rows.length;
        way.frames++;
      });
    },
    async end() {
      proxy.close();
      await thread.terminate();
    },
  };
  return way;
}
