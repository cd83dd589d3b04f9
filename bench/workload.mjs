// @ts-check
/**
 * The events that every contender gets: seeded, in order, without end.
 *
 * Ten events share each millisecond of stream time. Values are log-normal, as latencies are, and lie on a grid of 1/64,
 * so that sums of millions of them are exact in doubles and rows can be compared with `===`.
 */
export const eventsPerMs = 10;

export const cells = ['K1-n10', 'K1-n1k', 'K1-n100k', 'K1k-n10-z', 'K1k-n1k-u', 'K100k-n2-z', 'K100k-n10-u'];
export const ticks = [100, 16];

/** What is asked: A five aggregates over one lookback; B the same over a sixth of it, over it, and over all time; C percentiles and distinct values. */
export const sets = ['A', 'B', 'C'];

/** The answers of a row, in order; set B has them once for each lookback. */
export const columns = { A: ['sum', 'count', 'avg', 'min', 'max'], B: ['sum', 'count', 'avg', 'min', 'max'], C: ['p50', 'p95', 'p99', 'distinct'] };

/**
 * @typedef {'A' | 'B' | 'C'} MeasureSet
 * @typedef {{ key: string, t: number, v: number }} Event
 * @typedef {{ cell: string, keyNames: string[], perKey: number, byZipf: boolean, window: number, tick: number, set: MeasureSet, lookbacks: number[] }} Query
 */

const amount = String.raw`(\d+)(k|M)?`;
const cellName = new RegExp(`^K${amount}-n${amount}(?:-([uz]))?$`);

/**
 * `K1k-n10-z`: 1,000 keys, 10 events per key in the window, keys by Zipf's law (`-u` or nothing: all as frequent).
 *
 * @param {string} name
 * @returns {{ keys: number, perKey: number, byZipf: boolean, window: number } | undefined}
 */
export function readCell(name) {
  const [, keyDigits, keyUnit, eventDigits, eventUnit, law] = cellName.exec(name) ?? [];
  const keys = count(keyDigits, keyUnit), perKey = count(eventDigits, eventUnit);
  if (!(keys > 0 && perKey > 0)) return undefined;
  return { keys, perKey, byZipf: law === 'z', window: Math.max(1, Math.round((keys * perKey) / eventsPerMs)) };
}

/**
 * @param {string} cell
 * @param {number} tick How many milliseconds of stream time lie between evaluations.
 * @param {MeasureSet} set
 * @returns {Query}
 */
export function query(cell, tick, set) {
  const read = readCell(cell);
  if (!read) throw new Error(`'${cell}' is no cell`);
  const { keys, perKey, byZipf, window } = read;
  return { cell, keyNames: namesOf(keys), perKey, byZipf, window, tick, set, lookbacks: lookbacksOf(set, window) };
}

/**
 * @param {MeasureSet} set
 * @param {number} window
 * @returns {number[]}
 */
export function lookbacksOf(set, window) {
  return set === 'B' ? [Math.max(1, Math.round(window / 6)), window, Infinity] : [window];
}

/** @param {number} keys */
export function namesOf(keys) {
  return Array.from({ length: keys }, (_, i) => `key-${i}`);
}

/** Event `i` of the stream, for any `i`: keys and values repeat after two million events, times go on. */
export class Stream {
  /**
   * @param {string[]} keyNames
   * @param {boolean} byZipf
   * @param {number} cycle After how many events it repeats, a power of two.
   */
  constructor(keyNames, byZipf, cycle = 1 << 21) {
    const draw = seeded(42);
    this.mask = cycle - 1;
    this.keyNames = keyNames;
    this.keys = new Int32Array(cycle);
    this.values = new Float64Array(cycle);
    const choose = keyNames.length === 1 ? () => 0 : byZipf ? zipf(keyNames.length, draw) : () => Math.floor(draw() * keyNames.length);
    for (let i = 0; i < cycle; i++) {
      this.keys[i] = choose();
      this.values[i] = onGrid(Math.exp(2 + 0.8 * normal(draw)));
    }
  }

  /**
   * @param {number} i
   * @returns {Event}
   */
  event(i) {
    const at = i & this.mask;
    return { key: this.keyNames[this.keys[at]], t: 1 + Math.floor(i / eventsPerMs), v: this.values[at] };
  }

  /**
   * How many events have a time at or before this whole millisecond.
   *
   * @param {number} ms
   */
  countUntil(ms) {
    return ms * eventsPerMs;
  }
}

/**
 * Marsaglia's xorshift: numbers in [0, 1), the same on every machine.
 *
 * @param {number} seed
 */
export function seeded(seed) {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** @param {number} value */
export function onGrid(value) {
  return Math.round(value * 64) / 64;
}

/** @param {() => number} draw */
function normal(draw) {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

/**
 * Key `i` is drawn with a probability proportional to 1 / (i + 1).
 *
 * @param {number} keys
 * @param {() => number} draw
 */
function zipf(keys, draw) {
  const upTo = new Float64Array(keys);
  let total = 0;
  for (let i = 0; i < keys; i++) upTo[i] = total += 1 / (i + 1);
  return () => {
    const wanted = draw() * total;
    let low = 0, high = keys - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/**
 * @param {string | undefined} digits
 * @param {string | undefined} unit
 */
function count(digits, unit) {
  return Number(digits) * (unit === 'M' ? 1e6 : unit === 'k' ? 1e3 : 1);
}
