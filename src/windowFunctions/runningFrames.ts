import type { AnyAggregate } from '../aggregates/aggregate.ts';
import type { CellAnswers } from './answers.ts';
import { answersAlong } from './answersAlong.ts';
import type { FrameEdges } from './frameEdges.ts';
import type { LaneValues } from './laneValues.ts';

/** What an aggregate sees as the time of a value: its row's, or its place among the values. */
export type TimeAt = (value: number) => number;

/** The answer of a state over the frame of a position. */
export type FinishAt = (state: unknown, position: number) => unknown;

/**
 * What an aggregate answers over frames that slide, where values can be taken out again: one by one, or all up to a time.
 * One state goes along; where a frame begins behind all that it holds, it begins anew.
 */
export function runningFrames(aggregate: AnyAggregate, values: LaneValues, edges: FrameEdges, order: Int32Array, timeAt: TimeAt, finish: FinishAt): CellAnswers {
  const { cells } = values;
  let from = 0, to = 0, state = aggregate.zero();
  return answersAlong(values, edges, order, (start, end, at) => {
    if (start >= to) {
      if (to > from) state = aggregate.zero();
      from = to = start;
    }
    if (start > from) state = aggregate.expire ? aggregate.expire(state, timeAt(start - 1)) : retracted(aggregate, state, cells, from, start, timeAt);
    for (; to < end; to++) state = aggregate.reduce(state, cells[to], timeAt(to));
    from = start;
    return finish(state, at);
  });
}

function retracted(aggregate: AnyAggregate, state: unknown, cells: ArrayLike<unknown>, from: number, to: number, timeAt: TimeAt): unknown {
  for (let i = from; i < to; i++) state = aggregate.retract!(state, cells[i], timeAt(i));
  return state;
}
