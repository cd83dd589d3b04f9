/** Rows added up from the events of a key, as one writes it when windows are arrays. */

/** The row of one key at a frontier. `events` are in order; `sinceStart` are running totals, where a lookback has no end. */
export function rowOf(events, frontier, { set, lookbacks }, sinceStart) {
  if (lookbacks.length === 1) {
    const from = firstAfter(events, frontier - lookbacks[0]);
    return set === 'C' ? quantiles(events, from) : summary(events, from);
  }
  return lookbacks.flatMap((lookback) => (lookback === Infinity ? totalsRow(sinceStart) : summary(events, firstAfter(events, frontier - lookback))));
}

export function firstAfter(events, time) {
  let low = 0, high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].t <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function summary(events, from = 0) {
  let sum = 0, lowest = Infinity, highest = -Infinity;
  for (let i = from; i < events.length; i++) {
    const { v } = events[i];
    sum += v;
    if (v < lowest) lowest = v;
    if (v > highest) highest = v;
  }
  const count = events.length - from;
  return count > 0 ? [sum, count, sum / count, lowest, highest] : emptyRow('A');
}

export function quantiles(events, from = 0) {
  const count = events.length - from;
  if (count === 0) return emptyRow('C');
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = events[from + i].v;
  values.sort();
  let distinct = 1;
  for (let i = 1; i < count; i++) if (values[i] !== values[i - 1]) distinct++;
  const at = (p) => values[Math.ceil(p * count) - 1];
  return [at(0.5), at(0.95), at(0.99), distinct];
}

export function emptyRow(set) {
  return set === 'C' ? [null, null, null, 0] : [null, 0, null, null, null];
}

export function emptyTotals() {
  return { sum: 0, count: 0, lowest: Infinity, highest: -Infinity };
}

export function addTo(totals, { v }) {
  totals.sum += v;
  totals.count++;
  if (v < totals.lowest) totals.lowest = v;
  if (v > totals.highest) totals.highest = v;
}

function totalsRow({ sum, count, lowest, highest }) {
  return count > 0 ? [sum, count, sum / count, lowest, highest] : emptyRow('A');
}

export function same(a, b) {
  if (a?.length !== b.length) return false;
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
