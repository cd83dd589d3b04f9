import process from 'node:process';
import { contender } from '../contenders/index.mjs';
import { query as queryOf, seeded } from '../workload.mjs';

const tick = 100;

/**
 * What the state of a contender takes, in bytes, once its window has slid over twice its length: heap and array buffers
 * after a collection, less what there was before it started. The key strings are there before, and do not count.
 */
export default async function memory({ name, cell, set, lookbacks, roundRobin }) {
  const query = queryOf(cell, tick, set);
  if (lookbacks > 1) query.lookbacks = Array.from({ length: lookbacks }, (_, i) => query.window / (i + 1));
  const keys = query.keyNames.length, live = keys * query.perKey;
  const { start } = await contender(name);
  const draw = seeded(7);
  let rows = 0;
  const before = used();
  const entry = start(query, () => rows++);
  // Events are made as they are pushed: a stream that is kept would have to be told from the state.
  for (let i = 0, frontier = 0; i < 2 * live; frontier += tick, entry.tick(frontier)) {
    for (const end = Math.min(2 * live, i + 10 * tick); i < end; i++) entry.push({ key: query.keyNames[roundRobin ? i % keys : Math.floor(draw() * keys)], t: 1 + Math.floor(i / 10), v: draw() });
  }
  const bytes = used() - before;
  return { bytes, perEvent: bytes / live, perKey: bytes / keys, stated: entry.engine?.stats.bytes, rows };
}

function used() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
