import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';

/**
 * How many values lie between edges: before the first, from each up to the next, from the last on. A value on an edge
 * lies above it, NaN above all. The counts are zeros where nothing is, so together they are always `count`.
 *
 * @throws RollingWindowError `invalid-measure` where the edges are no list of at least one number, each larger than the one before.
 */
export function histogram(edges: readonly number[]): Aggregate<number, number[], number[]> {
  if (!areEdges(edges)) {
    throw new RollingWindowError('invalid-measure', { expected: 'a list of at least one edge, each a number larger than the one before', given: shown(edges) });
  }
  const own: readonly number[] = Object.freeze([...edges]);
  const count = (state: number[], value: number, times: 1 | -1): number[] => {
    state[binOf(own, value)]! += times;
    return state;
  };
  return {
    name: 'histogram',
    builtIn: true,
    parameters: { edges: own },
    zero: () => Array<number>(own.length + 1).fill(0),
    reduce: (state, value) => count(state, value, 1),
    merge(into, from) {
      for (let bin = 0; bin < into.length; bin++) into[bin]! += from[bin]!;
      return into;
    },
    retract: (state, value) => count(state, value, -1),
    finish: (state) => [...state],
  };
}

function areEdges(given: unknown): boolean {
  if (!Array.isArray(given) || given.length === 0) return false;
  return (given as readonly unknown[]).every((edge, i, all) => typeof edge === 'number' && (i === 0 ? !Number.isNaN(edge) : edge > (all[i - 1] as number)));
}

/** How many edges are at or below the value. */
function binOf(edges: readonly number[], value: number): number {
  let from = 0;
  for (let to = edges.length; from < to; ) {
    const middle = (from + to) >> 1;
    if (value < edges[middle]!) to = middle;
    else from = middle + 1;
  }
  return from;
}
