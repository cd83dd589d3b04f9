// @ts-check
import { built } from '../support/builtPackage.mjs';
import { cpuMs } from '../support/cpu.mjs';

const hour = 3_600_000;
const columns = ['s', 'c', 'a', 'mn', 'mx'];
const chunkLength = 2048;

/** One query by one contender: the CPU time of all its threads. With `compare`, how many rows differ between all of them. */
export default async function window({ contender, rows, keys, shuffled, compare }) {
  const events = eventsOf(rows, keys, shuffled);
  if (compare) return differences(await Promise.all(Object.values(contenders).map((start) => start(events).then((one) => one.rows()))), rows);
  const { query, read } = await contenders[contender](events);
  await query(); // once for the compiler and the caches
  globalThis.gc?.();
  const start = cpuMs();
  await query();
  const queried = cpuMs();
  await read();
  return { queryMs: queried - start, readMs: cpuMs() - start };
}

/** About a hundred events of a key in an hour; sums are exact, so that equal answers are equal to the last bit. */
function eventsOf(rows, keys, shuffled) {
  let seed = 1;
  const random = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff) / 0x8000_0000;
  const events = Array.from({ length: rows }, (_, id) => ({ id, key: `key ${Math.floor(random() * keys)}`, t: Math.floor((id * hour) / (100 * keys)), v: Math.floor(random() * 4000) / 4 }));
  if (shuffled) for (let i = rows - 1; i > 0; i--) swap(events, i, Math.floor(random() * (i + 1)));
  return events;
}

function swap(list, i, j) {
  [list[i], list[j]] = [list[j], list[i]];
}

const contenders = {
  async ours(events) {
    const { avg, count, currentRow, max, min, sum, Window, windowColumns } = await built('engine.js');
    const over = Window.partitionBy('key').orderBy('t').rangeBetween({ preceding: '1 hour' }, currentRow);
    const config = { columns: [sum('v').over(over).as('s'), count('v').over(over).as('c'), avg('v').over(over).as('a'), min('v').over(over).as('mn'), max('v').over(over).as('mx')] };
    let answer = [];
    const query = async () => {
      answer = windowColumns(events, config); // rows that a program can read at once
    };
    return { query, read: async () => undefined, rows: async () => query().then(() => byId(answer)) };
  },

  async duckdb(events) {
    const connection = await loaded(events);
    // The answer stays in the database: what it costs as rows of a program is measured apart.
    const query = () =>
      connection.run(`CREATE OR REPLACE TABLE answer AS SELECT id, sum(v) OVER w AS s, count(v) OVER w AS c, avg(v) OVER w AS a, min(v) OVER w AS mn, max(v) OVER w AS mx
        FROM events WINDOW w AS (PARTITION BY key ORDER BY t RANGE BETWEEN ${hour} PRECEDING AND CURRENT ROW)`);
    const read = async () => (await connection.runAndReadAll('SELECT * FROM answer')).getRowObjectsJS();
    return { query, read, rows: async () => query().then(read).then(byId) };
  },
};

async function loaded(events) {
  const { BIGINT, DOUBLE, DuckDBDataChunk, DuckDBInstance, INTEGER, VARCHAR } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run('SET threads = 2');
  await connection.run('CREATE TABLE events (id INTEGER, key VARCHAR, t BIGINT, v DOUBLE)');
  const appender = await connection.createAppender('events');
  for (let from = 0; from < events.length; from += chunkLength) {
    const part = events.slice(from, from + chunkLength), chunk = DuckDBDataChunk.create([INTEGER, VARCHAR, BIGINT, DOUBLE]);
    chunk.setColumns([part.map(({ id }) => id), part.map(({ key }) => key), part.map(({ t }) => BigInt(t)), part.map(({ v }) => v)]);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  return connection;
}

const byId = (rows) => rows.toSorted((a, b) => a.id - b.id);

function differences([one, other], rows) {
  let different = one.length === rows && other.length === rows ? 0 : rows;
  for (let i = 0; different < rows && i < rows; i++) if (columns.some((column) => Number(one[i][column]) !== Number(other[i][column]))) different++;
  return { different };
}
