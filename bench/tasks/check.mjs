import { contender } from '../contenders/index.mjs';
import { expectedRow } from '../oracle.mjs';
import { columns, lookbacksOf, namesOf, Stream } from '../workload.mjs';

const tick = 16;
const window = 3 * tick;
const pauseAfter = 1500;
const pause = 10 * tick;
const eventCount = 3000;

/**
 * Does a contender answer right? After each tick the newest row of each key must be the oracle's: over a start, a pause
 * in which every window empties, a second start and pause, and a lone event on a tick, which leaves on a tick with
 * nothing else to draw attention to its key. A key without a row counts as having the empty one.
 */
export default async function check({ name, set }) {
  const competitor = await contender(name);
  if (!competitor) return { skipped: 'not installed (npm --prefix bench install)' };
  const query = { cell: 'K7', keyNames: namesOf(7), perKey: 0, byZipf: true, window, tick, set, lookbacks: lookbacksOf(set, window) };
  const refused = competitor.refuses(query);
  if (refused) return { skipped: refused };
  return compare(competitor, query);
}

async function compare(competitor, query) {
  const events = eventsOf(query);
  const latest = new Map();
  let rows = 0;
  const entry = await competitor.start(query, (key, _frontier, row) => {
    rows++;
    latest.set(key, competitor.values(row));
  });
  const seen = [];
  let compared = 0;
  for (let frontier = tick; frontier <= events.at(-1).t + 2 * window; frontier += tick) {
    for (let event = events[seen.length]; event && event.t <= frontier; event = events[seen.length]) {
      seen.push(event);
      entry.push({ ...event });
    }
    await entry.tick(frontier);
    if (competitor.silentAtFirst && frontier < window) continue;
    for (const key of query.keyNames) {
      const expected = expectedRow(seen, key, frontier, query);
      const given = latest.get(key) ?? expectedRow([], key, frontier, query);
      if (!agree(given, expected, query.set, competitor.tolerance)) return { wrong: { key, frontier, expected, given } };
      compared++;
    }
  }
  entry.close?.();
  return { compared, rows };
}

function eventsOf({ keyNames, byZipf }) {
  const stream = new Stream(keyNames, byZipf, 4096);
  const events = Array.from({ length: eventCount }, (_, i) => {
    const event = stream.event(i);
    return i < pauseAfter ? event : { ...event, t: event.t + pause };
  });
  const lone = Math.ceil((events.at(-1).t + pause) / tick) * tick;
  return [...events, { key: keyNames[0], t: lone, v: 1.5 }];
}

function agree(given, expected, set, tolerance = {}) {
  return (
    given.length === expected.length &&
    expected.every((value, i) => {
      const off = tolerance[columns[set][i % columns[set].length]] ?? 0;
      return Object.is(given[i], value) || Math.abs(given[i] - value) <= off * Math.abs(value);
    })
  );
}
