import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { asyncScheduler, Subject } from 'rxjs';
import { built } from '../support/builtPackage.mjs';
import { fiveMeasures } from '../support/fiveMeasures.mjs';
import { median } from '../support/statistics.mjs';
import { threadCpuMs } from '../support/threadCpu.mjs';
import { namesOf, seeded } from '../workload.mjs';

/** Milliseconds from one arrival of events to the next: as messages of a socket bring them, several at a time. */
const APART = 4;
/** Milliseconds from one frame to the next. */
const FRAME = 16;
/** Milliseconds for which one way is offered events before the next one is. */
const TURN = 400;

/** Doubles of an array: three columns of 4,096 events, more than come in a frame. */
const CELLS = 3 * 4096;

/** The ways that are compared. */
export const named = ['array', 'bare', 'sent', 'proxy', 'pipe', 'single', 'here'];

/**
 * Nanoseconds that an event costs the main thread, at a steady rate on the clock. The ways take turns in one process; what
 * the same turn costs with nobody to take the events is subtracted.
 */
export default async function worker({ rate, keys, seconds }) {
  const events = ring(keys, rate);
  const proxy = await throughProxy();
  const ways = { nobody: nobody(), array: intoArray(events), bare: bareMessages(events), sent: sentArray(events), proxy, pipe: await throughPipe(false), single: await throughPipe(true), here: await engineHere() };
  const costs = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  const rounds = Math.ceil((seconds * 1000) / TURN);
  for (let round = -2; round < rounds; round++) {
    for (const [name, way] of round % 2 === 0 ? Object.entries(ways) : Object.entries(ways).toReversed()) {
      const cost = await turn(way, events, rate);
      if (round >= 0) costs[name].push(cost);
    }
  }
  // Medians: a turn in which another program took the core is no figure. Nobody's turn of the same round is taken off,
  // since the machine is not the same from one round to the next.
  const over = (name) => median(costs[name].map((cost, round) => cost - costs.nobody[round]));
  return { base: median(costs.nobody), rows: proxy.rows / proxy.frames, ...Object.fromEntries(named.map((name) => [name, over(name)])) };
}

async function turn(way, events, rate) {
  await sleep(20);
  const cpu = threadCpuMs(), start = performance.now();
  let taken = 0, frame = FRAME;
  for (let elapsed = 0; elapsed < TURN; elapsed = performance.now() - start) {
    const now = Date.now(), due = Math.floor((Math.min(elapsed, TURN) * rate) / 1000), list = [];
    for (; taken < due; taken++) {
      const event = events[taken & (events.length - 1)];
      event.t = now;
      list.push(event);
    }
    way.take(list, now);
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

const nobody = () => ({ seen: 0, take(list) { this.seen += list.length; } });

/** The same columns into one typed array; the text by its code. */
function intoArray(events) {
  const codes = new Map();
  for (const { key } of events) if (!codes.has(key)) codes.set(key, codes.size);
  return {
    cells: new Float64Array(CELLS),
    count: 0,
    take(list) {
      const { cells } = this;
      let { count } = this;
      for (const event of list) {
        const at = count * 3;
        cells[at] = codes.get(event.key);
        cells[at + 1] = event.t;
        cells[at + 2] = event.v;
        count = count === 4095 ? 0 : count + 1;
      }
      this.count = count;
    },
  };
}

/** The same array, and beside it the least that there is to a thread which answers once a frame: a number there, and one back. */
function bareMessages(events) {
  const echo = new Worker("const { parentPort } = require('node:worker_threads'); parentPort.on('message', (n) => parentPort.postMessage(n));", { eval: true });
  echo.on('message', () => undefined);
  return { ...intoArray(events), frame: (now) => echo.postMessage(now) };
}

/** The same array, and the least that there is to a thread which sees the events: once a frame it gets the buffer, adds up what is in it, and sends it back. */
function sentArray(events) {
  const reader = new Worker(
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ buffer, count }) => {
      const cells = new Float64Array(buffer);
      let sum = 0;
      for (let i = 0; i < count * 3; i++) sum += cells[i];
      parentPort.postMessage({ buffer, sum }, [buffer]);
    });`,
    { eval: true },
  );
  const way = intoArray(events), spares = [];
  reader.on('message', ({ buffer }) => spares.push(new Float64Array(buffer)));
  way.frame = () => {
    const { cells: { buffer }, count } = way;
    way.cells = spares.pop() ?? new Float64Array(CELLS);
    way.count = 0;
    reader.postMessage({ buffer, count }, [buffer]);
  };
  return way;
}

/** A thread with an engine, and its proxy. */
async function thread() {
  const { engineProxy } = await built('worker.js');
  const running = new Worker(new URL('../support/engineWorker.mjs', import.meta.url));
  const proxy = engineProxy(running, { columns: ['key', 't', 'v'] });
  await proxy.stats();
  return proxy;
}

async function throughProxy() {
  const proxy = await thread();
  const way = {
    rows: 0,
    frames: 0,
    isOnItsWay: false,
    take: (list, now) => proxy.pushAll(list, now),
    frame(now) {
      if (way.isOnItsWay) return;
      way.isOnItsWay = true;
      proxy.advance(now).then(({ rows }) => {
        way.isOnItsWay = false;
        way.rows += rows.length;
        way.frames++;
      });
    },
  };
  return way;
}

/** Frames that the loop shows: what asks for one is done when it comes. */
function frames() {
  let asked = [];
  const scheduler = {
    now: () => asyncScheduler.now(),
    schedule(work, delay, state) {
      const turn = { work, state, closed: false, unsubscribe: () => (turn.closed = true) };
      asked.push(turn);
      return turn;
    },
  };
  const show = () => {
    const due = asked;
    asked = [];
    for (const turn of due) if (!turn.closed) turn.work(turn.state);
  };
  return { scheduler, show };
}

/** The operator: it is given the arrays, or the events one by one, and then reads the clock for each. */
async function throughPipe(oneByOne) {
  const { throughWorker } = await built('worker.js');
  const events$ = new Subject(), { scheduler, show } = frames();
  events$.pipe(throughWorker(await thread(), { coalesce: scheduler })).subscribe();
  const take = (list) => {
    if (!oneByOne) events$.next(list);
    else for (const event of list) events$.next(event);
  };
  return { take, frame: show };
}

/** The engine on this thread. */
async function engineHere() {
  const engine = await fiveMeasures();
  return { take: (list, now) => engine.pushAll(list, now), frame: (now) => engine.advance(now) };
}
