/** (time, slot), in order. */
export interface Instants {
  readonly times: Float64Array;
  readonly slots: Int32Array;
}

/**
 * Brings instants into order of time; those of one time stay in their order.
 *
 * They come as runs that are in order, key by key, so neighbours are merged until one run is left: the sort of the language
 * takes one object for each instant, and knows nothing of runs. The arrays given are used up.
 */
export function mergeRuns(given: Instants): Instants {
  let from = given, starts = startsOf(given.times);
  if (starts.length <= 2) return from;
  let to: Instants = { times: new Float64Array(given.times.length), slots: new Int32Array(given.slots.length) };
  for (; starts.length > 2; starts = everySecond(starts)) {
    for (let run = 0; run + 1 < starts.length; run += 2) mergeTwo(from, to, starts[run]!, starts[run + 1]!, starts[Math.min(run + 2, starts.length - 1)]!);
    [from, to] = [to, from];
  }
  return from;
}

/** Where runs begin, and the end. */
function startsOf(times: Float64Array): Int32Array {
  const starts = new Int32Array(times.length + 1);
  let runs = 0;
  for (let i = 0; i < times.length; i++) if (i === 0 || times[i]! < times[i - 1]!) starts[runs++] = i;
  starts[runs] = times.length;
  return starts.slice(0, runs + 1);
}

/** Of each two runs the start, and the end. */
function everySecond(starts: Int32Array): Int32Array {
  const runs = (starts.length - 1) >> 1, kept = new Int32Array(starts.length - runs);
  for (let i = 0; i < kept.length; i++) kept[i] = starts[Math.min(2 * i, starts.length - 1)]!;
  return kept;
}

/** Merges the runs at [begin, middle) and [middle, end). */
function mergeTwo(from: Instants, to: Instants, begin: number, middle: number, end: number): void {
  const { times, slots } = from, { times: toTimes, slots: toSlots } = to;
  let left = begin, right = middle;
  for (let at = begin; at < end; at++) {
    const next = right === end || (left < middle && times[left]! <= times[right]!) ? left++ : right++;
    toTimes[at] = times[next]!;
    toSlots[at] = slots[next]!;
  }
}
