import { map, Subject } from 'rxjs';
import { built } from '../support/builtPackage.mjs';
import { summaryOf } from '../support/latencies.mjs';
import { namesOf, seeded } from '../workload.mjs';

const keys = namesOf(1000);
const window = 5000;
/** Seconds for which one contender is offered events before the other one is. */
const turn = 0.5;
/** Events in a row before timers get their turn. */
const most = 500;
/** Milliseconds from one event to the next, where each leaves its window by itself. */
const apart = 7;
const short = 400;

/**
 * Real time, on the clock, and nothing but microseconds in it: how long after the instant at which an event was due, and
 * after `next()`, its row came; or how late a row came for an event that left its window.
 */
export default async function latency({ rate, seconds }) {
  return rate === 0 ? expiries(seconds) : arrivals(rate, seconds);
}

async function arrivals(rate, seconds) {
  const { avg, count, max, min, preceding, range, rollingWindow, sum } = await built('index.js');
  const over = preceding(range(window));
  const measures = [sum('v').over(over), count('v').over(over), avg('v').over(over), min('v').over(over), max('v').over(over)];
  const pipes = [new Offered('rollingWindow', rollingWindow({ partitionBy: 'key', orderBy: 't', measures })), new Offered('Subject and map', map(({ key, t, v }) => ({ key, __frontier: t, sum: v, count: 1, avg: v, min: v, max: v })))];
  for (const pipe of pipes) await pipe.offer(Math.min(rate, 10_000), 1); // the code warms up, the store has still to grow
  for (const pipe of pipes) pipe.forget();
  for (let done = 0; done < seconds; done += turn) for (const pipe of done % 1 === 0 ? pipes : pipes.toReversed()) await pipe.offer(rate, turn);
  return pipes.flatMap(({ name, fromDue, fromNext }) => [
    { name, what: 'from the instant it was due', ...summaryOf(fromDue) },
    { name, what: 'from next()', ...summaryOf(fromNext) },
  ]);
}

/** A pipe, and when rows came out of it. */
class Offered {
  fromDue = [];
  fromNext = [];
  rowAt = 0;
  key = '';
  draw = seeded(5);

  constructor(name, operator) {
    this.name = name;
    this.events$ = new Subject();
    this.events$.pipe(operator).subscribe(({ key }) => {
      if (key === this.key) this.rowAt = performance.now(); // others left their windows
    });
  }

  forget() {
    this.fromDue = [];
    this.fromNext = [];
  }

  /** Event `i` is due at its own instant, whatever became of the ones before it. */
  offer(rate, seconds) {
    const from = performance.now(), count = rate * seconds, gap = 1000 / rate;
    let i = 0;
    return new Promise((resolve) => {
      const go = () => {
        for (let left = most; left > 0 && i < count && from + i * gap <= performance.now(); left--) this.next(from + i++ * gap);
        if (i < count) setImmediate(go);
        else resolve();
      };
      go();
    });
  }

  next(due) {
    const key = (this.key = keys[Math.floor(this.draw() * keys.length)]);
    const event = { key, t: Date.now(), v: this.draw() * 100 };
    const start = performance.now();
    this.events$.next(event);
    this.fromDue.push((this.rowAt - due) * 1000);
    this.fromNext.push((this.rowAt - start) * 1000);
  }
}

/** Each event has a key of its own, so that each leaves alone; in turns with as many timers that nothing stands behind. */
async function expiries(seconds) {
  const { count, preceding, range, rollingWindow } = await built('index.js');
  const wall = wallClock();
  const slips = { rollingWindow: [], setTimeout: [] };
  const events$ = new Subject();
  const subscription = events$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 't', measures: [count().over(preceding(range(short))).as('n')] })).subscribe(({ key, n }) => {
    if (n === 0) slips.rollingWindow.push((wall() - key - short) * 1000);
  });
  for (let i = 0; i < (seconds * 1000) / apart; i++) {
    await new Promise((resolve) => setTimeout(resolve, apart));
    const t = Date.now();
    if (i % 2 === 0) events$.next({ key: t, t });
    else setTimeout(() => slips.setTimeout.push((wall() - t - short) * 1000), short);
  }
  await new Promise((resolve) => setTimeout(resolve, 2 * short));
  subscription.unsubscribe();
  return Object.entries(slips).map(([name, taken]) => ({ name, what: 'past the instant of the expiry', ...summaryOf(taken) }));
}

/** What `Date.now` shows, with its fraction: it is never less than what it shows, so the largest difference seen is it. */
function wallClock() {
  let ahead = -Infinity;
  for (const end = performance.now() + 100; performance.now() < end; ) {
    const shown = Date.now();
    ahead = Math.max(ahead, shown - performance.now());
  }
  return () => ahead + performance.now();
}
