import Database from 'better-sqlite3';

/** In memory, no journal, a covering index; at each tick the keys that an event came to or left, and one query for each. */
export default {
  title: 'SQLite in memory (better-sqlite3): indexed table, changed keys queried at each tick',
  cannot: 'rows by themselves: it is asked at ticks; change detection; a row per key is one query',
  values: (row) => row,
  refuses: () => undefined,
  start(query, emit) {
    const database = open();
    const { lookbacks, set } = query;
    const bounded = lookbacks.filter((lookback) => lookback < Infinity);
    const longest = Math.max(...bounded);
    const hasLifetime = bounded.length < lookbacks.length;
    const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
    // All time is a running total: adding up every event since the start would be another query each tick.
    const total = database.prepare(
      'INSERT INTO totals VALUES (?, ?, 1, ?, ?) ON CONFLICT (key) DO UPDATE SET sum = sum + excluded.sum, count = count + 1, ' +
        'lowest = min(lowest, excluded.lowest), highest = max(highest, excluded.highest)',
    );
    const store = database.transaction((events) => {
      for (const { key, t, v } of events) {
        insert.run(key, t, v);
        if (hasLifetime) total.run(key, v, v, v);
      }
    });
    const between = database.prepare('SELECT DISTINCT key FROM events WHERE t > ? AND t <= ?').pluck();
    const expire = database.prepare('DELETE FROM events WHERE t <= ?');
    const summary = database.prepare('SELECT sum(v), count(v), avg(v), min(v), max(v) FROM events WHERE key = ? AND t > ?').raw();
    const sinceStart = database.prepare('SELECT sum, count, sum / count, lowest, highest FROM totals WHERE key = ?').raw();
    const sorted = database.prepare('SELECT v FROM events WHERE key = ? AND t > ? ORDER BY v').pluck();

    let waiting = [];
    let before = 0;
    const rowOf = (key, frontier) =>
      set === 'C'
        ? quantiles(sorted.all(key, frontier - longest))
        : lookbacks.flatMap((lookback) => (lookback === Infinity ? sinceStart.get(key) : summary.get(key, frontier - lookback)));

    return {
      push: (event) => waiting.push(event),
      tick(frontier) {
        store(waiting);
        waiting = [];
        const changed = new Set(between.all(before, frontier));
        for (const lookback of bounded) for (const key of between.all(before - lookback, frontier - lookback)) changed.add(key);
        for (const key of changed) emit(key, frontier, rowOf(key, frontier));
        expire.run(frontier - longest);
        before = frontier;
      },
      close: () => database.close(),
    };
  },
};

function open() {
  const database = new Database(':memory:');
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.exec(`
    CREATE TABLE events (key TEXT, t INTEGER, v REAL);
    CREATE INDEX byKey ON events (key, t, v);
    CREATE INDEX byTime ON events (t, key);
    CREATE TABLE totals (key TEXT PRIMARY KEY, sum REAL, count INTEGER, lowest REAL, highest REAL) WITHOUT ROWID;
  `);
  return database;
}

function quantiles(values) {
  const count = values.length;
  const at = (p) => (count > 0 ? values[Math.ceil(p * count) - 1] : null);
  return [at(0.5), at(0.95), at(0.99), new Set(values).size];
}
