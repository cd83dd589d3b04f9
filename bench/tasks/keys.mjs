import engineContender from '../contenders/engine.mjs';
import handContender from '../contenders/hand.mjs';
import { built } from '../support/builtPackage.mjs';
import { cpuMs } from '../support/cpu.mjs';
import { median } from '../support/statistics.mjs';
import { namesOf, seeded } from '../workload.mjs';

const tick = 16;
const arrivals = 1667;
const ticksInWindow = 600;
const window = ticksInWindow * tick;

/** A page of users: a million keys, 100,000 arrivals a second, evaluated in every frame. Milliseconds of CPU per tick. */
export default async function keys({ keys: keyCount, ticks }) {
  const keyNames = namesOf(keyCount);
  const draw = seeded(7);
  const query = { keyNames, tick, set: 'A', window, lookbacks: [window] };
  let rows = 0;
  const engine = engineContender.start(query, () => rows++);
  const hand = handContender.start(query, () => rows++);
  const boundaries = await Boundaries.open();
  const ring = new Ring(keyCount);
  const costs = { engine: [], hand: [], boundaries: [], ring: [], idle: [], rows: [] };

  for (let k = 1; k <= ticksInWindow + ticks; k++) {
    const now = k * tick;
    const slots = Int32Array.from({ length: arrivals }, () => Math.floor(draw() * keyCount));
    const events = Array.from(slots, (slot, i) => ({ key: keyNames[slot], t: now - tick + ((i + 1) * tick) / arrivals, v: draw() * 100 }));
    const times = Float64Array.from(events, ({ t }) => t);
    const turns = [
      ['engine', () => evaluate(engine, events, now)],
      ['hand', () => evaluate(hand, events, now)],
      ['boundaries', () => boundaries?.evaluate(times, slots, now)],
      ['ring', () => ring.evaluate(times, slots, now)],
    ];
    // Who goes second finds the caches of who went first.
    for (const [name, turn] of k % 2 === 0 ? turns : turns.toReversed()) {
      const before = rows;
      const ms = costOf(turn);
      if (k <= ticksInWindow) continue;
      costs[name].push(ms);
      if (name === 'engine') costs.rows.push(rows - before);
    }
    if (k > ticksInWindow) costs.idle.push(costOf(() => idle(engine, now)) / idleCalls);
  }
  return {
    ...Object.fromEntries(Object.entries(costs).map(([name, values]) => [name, median(values)])),
    boundaries: boundaries ? median(costs.boundaries) : null,
    overHand: median(costs.engine.map((ms, i) => ms / costs.hand[i])),
    overRing: boundaries ? median(costs.boundaries.map((ms, i) => ms / costs.ring[i])) : null,
    liveKeys: engine.engine.stats.keys,
  };
}

const idleCalls = 100;

function evaluate(entry, events, now) {
  for (const event of events) entry.push(event);
  entry.tick(now);
}

/** Nothing came and nothing is due. */
function idle(entry, now) {
  for (let i = 0; i < idleCalls; i++) entry.tick(now);
}

function costOf(turn) {
  const start = cpuMs();
  turn();
  return cpuMs() - start;
}

/** The engine's own way to find the keys that are due, taken out of the build. */
class Boundaries {
  /** A build in which it is called otherwise is measured without it. */
  static async open() {
    try {
      const [{ Boundaries: Inner }, { DirtyKeys }, { rangeEdge }] = await Promise.all([built('src/windows/boundaries.js'), built('src/keys/dirtyKeys.js'), built('engine.js')]);
      return new Boundaries(new Inner([rangeEdge(window)], (this.dirty = new DirtyKeys())), this.dirty);
    } catch {
      return undefined;
    }
  }

  constructor(inner, dirty) {
    this.inner = inner;
    this.dirty = dirty;
    this.cutoffs = new Float64Array([-window]);
  }

  evaluate(times, slots, now) {
    const { inner, dirty, cutoffs } = this;
    cutoffs[0] = now - window;
    for (let i = 0; i < times.length; i++) {
      dirty.mark(slots[i]); // as what enters does
      inner.add(times[i], slots[i], cutoffs);
    }
    inner.sweep(cutoffs);
    dirty.clear();
  }
}

/** The least that finds the keys to look at: one ring of all events in order, a cursor for what leaves, a mark per key. */
class Ring {
  constructor(keyCount) {
    const room = 1 << 21;
    this.mask = room - 1;
    this.times = new Float64Array(room);
    this.slots = new Int32Array(room);
    this.marks = new Int32Array(keyCount);
    this.due = new Int32Array(keyCount);
    this.head = 0;
    this.tail = 0;
    this.round = 0;
  }

  evaluate(times, slots, now) {
    this.round++;
    this.count = 0;
    const until = now - window;
    for (let i = 0; i < times.length; i++) {
      const at = this.tail++ & this.mask;
      this.times[at] = times[i];
      this.slots[at] = slots[i];
      this.mark(slots[i]);
    }
    while (this.head < this.tail && this.times[this.head & this.mask] <= until) this.mark(this.slots[this.head++ & this.mask]);
    return this.count;
  }

  mark(slot) {
    if (this.marks[slot] === this.round) return;
    this.marks[slot] = this.round;
    this.due[this.count++] = slot;
  }
}
