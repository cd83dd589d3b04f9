import { inFreshProcess } from './freshProcess.mjs';
import { median } from './statistics.mjs';

/**
 * Measures pairs of contenders, each in a fresh process per round, one after the other. All pairs have their first round
 * before any has its second, so that a time limit costs rounds before it costs pairs.
 *
 * @param {readonly { ours: string, theirs: string, cell: string, tick: number, set: string }[]} pairs
 * @param {{ rounds: number, seconds: number, fillSeconds: number, wallSeconds: number, deadline: number, otherPlans: number, step: (what: string) => void }} options
 */
export async function measurePairs(pairs, { rounds, seconds, fillSeconds, wallSeconds, deadline, otherPlans, step }) {
  const results = pairs.map((pair) => ({ ...pair, runs: [], skipped: undefined }));
  for (let round = 0; round < rounds; round++) {
    for (const result of results) {
      step(`${result.cell} @${result.tick} ${result.set} ${result.ours} : ${result.theirs}`);
      if (result.skipped !== undefined) continue;
      const left = (deadline - Date.now()) / 1000;
      if (left < 2) {
        if (result.runs.length === 0) result.skipped = 'no time left';
        continue;
      }
      const { ours, theirs, cell, tick, set } = result;
      const wall = Math.min(wallSeconds, left);
      const task = { ours, theirs, cell, tick, set, seconds, fillSeconds, until: Date.now() + 0.8 * wall * 1000, otherPlans };
      const run = await inFreshProcess('pair', task, wall);
      if (run.skipped ?? run.failed) result.skipped = run.skipped ?? run.failed;
      else result.runs.push(run);
    }
  }
  return results.map(combined);
}

function combined({ runs, skipped, ...pair }) {
  if (runs.length === 0) return { ...pair, skipped };
  const of = (read) => median(runs.map(read));
  return {
    ...pair,
    ratio: of(({ ratio }) => ratio),
    mean: of(({ mean }) => mean),
    oursNs: of(({ ours }) => ours.ns),
    theirsNs: of(({ theirs }) => theirs.ns),
    rowsPerEvent: of(({ ours }) => ours.rows),
    slices: of(({ slices }) => slices),
    rounded: runs[0].rounded,
    rounds: runs.map(({ ratio }) => ratio),
  };
}
