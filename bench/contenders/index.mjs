/**
 * Who is measured. Each file describes one contender:
 *
 * - `title`, and `cannot`: what it does not do that the operator does.
 * - `refuses(query)`: why it can't answer a query, or nothing.
 * - `start(query, emit)`: begins with an empty window. `push(event)` hands in the next event in order, `tick(frontier)`
 *   calls `emit(key, frontier, row)` for each key that changed; it may return a promise.
 * - `values(row)`: its row as the list that the oracle gives. Not timed.
 * - `clocked`: it has to see every tick from the start on. `silentAtFirst`: it says nothing before the first whole window.
 * - `tolerance`: by how much a column may be off, where that is part of the bargain.
 */
export const ours = ['engine', 'pipe'];
export const theirs = ['hand', 'rxjs-careful', 'rxjs-bufferTime', 'rxjs-windowTime', 'rxjs-scan', 'sqlite', 'duckdb'];

/** @param {string} name */
export async function contender(name) {
  try {
    return (await import(`./${name}.mjs`)).default;
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND' && /'(better-sqlite3|@duckdb\/node-api)'/.test(error.message)) return undefined; // not installed
    throw error;
  }
}
