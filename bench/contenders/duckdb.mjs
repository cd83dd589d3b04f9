import { DOUBLE, DuckDBDataChunk, DuckDBInstance, INTEGER, VARCHAR } from '@duckdb/node-api';

const chunkLength = 2048;

/** In memory, rows appended in chunks; at each tick one query over all keys that an event came to or left. */
export default {
  title: 'DuckDB in memory: columns appended in chunks, changed keys in one query at each tick',
  cannot: 'rows by themselves: it is asked at ticks; change detection; all time (set B) beside windows without keeping every event',
  values: (row) => row,
  refuses: ({ set }) => (set === 'B' ? 'all time would keep every event, and cost would grow with the stream' : undefined),
  async start({ set, window }, emit) {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run('SET threads = 2');
    await connection.run('CREATE TABLE events (key VARCHAR, t INTEGER, v DOUBLE)');
    const appender = await connection.createAppender('events');
    const measures = set === 'C' ? 'quantile_disc(v, [0.5, 0.95, 0.99]), count(DISTINCT v)' : 'sum(v), count(v), avg(v), min(v), max(v)';

    let columns = [[], [], []];
    let before = 0;
    let expired = 0;
    const append = () => {
      const chunk = DuckDBDataChunk.create([VARCHAR, INTEGER, DOUBLE]);
      chunk.setColumns(columns);
      appender.appendDataChunk(chunk);
      columns = [[], [], []];
    };

    return {
      push({ key, t, v }) {
        columns[0].push(key);
        columns[1].push(t);
        columns[2].push(v);
        if (columns[0].length === chunkLength) append();
      },
      async tick(frontier) {
        append();
        appender.flushSync();
        const result = await connection.runAndReadAll(`
          WITH changed AS (SELECT DISTINCT key FROM events WHERE t > ${before} OR (t > ${before - window} AND t <= ${frontier - window})),
          inside AS (SELECT * FROM events WHERE t > ${frontier - window} AND key IN (FROM changed))
          SELECT changed.key, ${measures} FROM changed LEFT JOIN inside ON inside.key = changed.key GROUP BY changed.key`);
        for (const [key, ...row] of result.getRowsJS()) emit(key, frontier, row.flatMap((value) => plain(value, set)));
        if (frontier - expired > Math.max(window / 4, 200)) {
          await connection.run(`DELETE FROM events WHERE t <= ${frontier - window}`);
          expired = frontier;
        }
        before = frontier;
      },
      close: () => connection.closeSync(),
    };
  },
};

/** Counts come as bigint, and three percentiles as one list, which is null where there is nothing. */
function plain(value, set) {
  if (value === null && set === 'C') return [null, null, null];
  return typeof value === 'bigint' ? [Number(value)] : Array.isArray(value) ? value : [value];
}
