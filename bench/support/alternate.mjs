import { cpuMs } from './cpu.mjs';
import { median, total } from './statistics.mjs';

/**
 * Lets runners take turns of about 20 ms of CPU time in this process, so that whatever slows the machine slows all.
 *
 * The ratio is taken in each round of turns and the median of them counts; the first quarter is warm-up. `mean` is the
 * ratio of whole sums: where it differs, a runner has rare expensive turns that a median does not show.
 *
 * @param {readonly { name: string, run: (steps: number) => number | Promise<number> }[]} runners `run` does that many
 * steps and gives the number of events in them.
 * @param {{ seconds: number, sliceMs?: number, until?: number }} limits `seconds` of CPU for each runner, but not past
 * `until` on the clock.
 */
export async function alternate(runners, { seconds, sliceMs = 20, until = Infinity }) {
  const turns = runners.map((runner) => ({ runner, steps: 1, used: 0, cost: [], events: [] }));
  const due = () => turns.some(({ used }) => used < seconds * 1000) && turns.every(({ used }) => used < 3 * seconds * 1000);
  for (let round = 0; (due() && Date.now() < until) || round < 4; round++) {
    // Who goes second finds the caches of who went first: the order changes each time.
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await take(turn, sliceMs);
  }
  const warm = turns[0].cost.length >> 2;
  const [first] = turns;
  return turns.map(({ runner, cost, events }) => {
    const perEvent = cost.map((ms, i) => (ms * 1e6) / events[i]);
    const firstPerEvent = first.cost.map((ms, i) => (ms * 1e6) / first.events[i]);
    return {
      name: runner.name,
      ns: median(perEvent.slice(warm)),
      ratio: median(perEvent.map((ns, i) => ns / firstPerEvent[i]).slice(warm)),
      mean: meanCost(cost, events, warm) / meanCost(first.cost, first.events, warm),
      slices: cost.length - warm,
    };
  });
}

async function take(turn, sliceMs) {
  const start = cpuMs();
  let events = 0;
  // A slice without an event has no cost per event.
  while (events === 0) events += await turn.runner.run(turn.steps);
  const ms = Math.max(cpuMs() - start, 1e-3);
  turn.cost.push(ms);
  turn.events.push(events);
  turn.used += ms;
  turn.steps = Math.max(1, Math.round(turn.steps * Math.min(8, Math.max(1 / 8, sliceMs / ms))));
}

function meanCost(cost, events, from) {
  return total(cost.slice(from)) / total(events.slice(from));
}
