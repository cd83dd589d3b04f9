import { alternate } from '../support/alternate.mjs';
import { built } from '../support/builtPackage.mjs';
import { eventsPerMs, namesOf, seeded } from '../workload.mjs';

/** So many answers between two looks at the time. */
const batch = 64;
/** The clock of a request is a little ahead of the last evaluation. */
const later = 3;

/**
 * An engine that is asked: the cost of an answer over that of looking the same keys up in a `Map`, in alternating slices.
 *
 * Requests come one by one. So which key is next depends on the answer before: else the processor looks many keys up at
 * once, and hides the waiting for memory that a request does not hide. `Map.get, many at once` shows how much that is.
 */
export default async function query({ keys, perKey, delay, emit, seconds }) {
  const { avg, count, createEngine, max, min, preceding, range, sum } = await built('engine.js');
  const window = (keys * perKey) / eventsPerMs, over = preceding(range(window));
  const measures = [sum('v').over(over), count('v').over(over).as('n'), avg('v').over(over), min('v').over(over), max('v').over(over)];
  const engine = createEngine()({ partitionBy: 'key', orderBy: 't', emit, frontierSpec: { delay }, measures });
  const names = namesOf(keys), draw = seeded(11);
  let now = 0, sent = 0;
  while (now < window + delay) {
    for (const end = (now += 100) * eventsPerMs; sent < end; sent++) engine.push({ key: names[Math.floor(draw() * keys)], t: (sent + 1) / eventsPerMs, v: draw() * 100 }, (sent + 1) / eventsPerMs);
    engine.advance(now);
  }
  const { held } = engine.stats;
  const table = new Map();
  for (let i = 0; i < keys; i++) table.set(names[Math.floor(draw() * keys)], { n: i });
  for (const name of names) if (!table.has(name)) table.set(name, { n: 0 });

  const course = { asked: Array.from({ length: 1 << 18 }, () => names[Math.floor(draw() * keys)]), zero: 0 };
  const answers = await alternate(
    [
      inTurn('Map.get', course, (key) => table.get(key).n),
      inTurn('query', course, (key) => engine.query({ key }).n),
      inTurn('query, a moment later', course, (key) => engine.query({ key }, now + later).n),
      inTurn('nextBoundary', course, (key) => engine.nextBoundary({ key })),
      inTurn('query, no such key', course, (key) => engine.query({ key: `${key}?` }).n),
      atOnce('Map.get, many at once', course, (key) => table.get(key)),
    ],
    { seconds },
  );
  // Who has a list of keys has it in some order, which is not that of the engine.
  const listed = shuffled(engine.queryAll().map(({ key }) => key), draw);
  const rows = await alternate(
    [
      ofAll('query of each key', () => listed.map((key) => engine.query({ key }))),
      ofAll('queryAll', () => engine.queryAll()),
      ofAll('query of each key, a moment later', () => listed.map((key) => engine.query({ key }, now + later))),
      ofAll('queryAll, a moment later', () => engine.queryAll(now + later)),
    ],
    { seconds },
  );
  const request = (key, asks) => {
    now = ++sent / eventsPerMs;
    const answer = asks ? engine.query({ key }, now).n : 0;
    engine.push({ key, t: now, v: 1 }, now);
    engine.advance(now);
    return answer;
  };
  const requests = await alternate([inTurn('push, advance', course, (key) => request(key, false)), inTurn('query, push, advance', course, (key) => request(key, true))], { seconds });
  return { answers, rows, requests, held };
}

function inTurn(name, course, ask) {
  let at = 0;
  return {
    name,
    run(steps) {
      const { asked, zero } = course;
      for (let i = steps * batch; i > 0; i--) at = (at + 1 + (ask(asked[at]) & zero)) & (asked.length - 1);
      return steps * batch;
    },
  };
}

function atOnce(name, course, ask) {
  let at = 0;
  return {
    name,
    run(steps) {
      const { asked } = course;
      for (let i = steps * batch; i > 0; i--) {
        course.answer = ask(asked[at]);
        at = (at + 1) & (asked.length - 1);
      }
      return steps * batch;
    },
  };
}

function shuffled(list, draw) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** The rows of all keys, which are kept until the last of them is made. */
function ofAll(name, ask) {
  return {
    name,
    run(steps) {
      let rows = 0;
      for (let i = 0; i < steps; i++) rows += ask().length;
      return rows;
    },
  };
}
