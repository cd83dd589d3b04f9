import type { AnyAggregate } from '../aggregates/aggregate.ts';
import { CellAnswers } from './answers.ts';
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
export function runningFrames(aggregate: AnyAggregate, { cells, before }: LaneValues, edges: FrameEdges, order: Int32Array, timeAt: TimeAt, finish: FinishAt): CellAnswers {
  const answers = new Array<unknown>(order.length);
  let from = 0, to = 0, state = aggregate.zero();
  for (let at = 0; at < order.length; at++) {
    const start = before ? before[edges.from[at]!]! : edges.from[at]!, end = before ? before[edges.to[at]!]! : edges.to[at]!;
    if (start >= to) {
      if (to > from) state = aggregate.zero();
      from = to = start;
    }
    if (start > from) state = aggregate.expire ? aggregate.expire(state, timeAt(start - 1)) : retracted(aggregate, state, cells, from, start, timeAt);
    for (; to < end; to++) state = aggregate.reduce(state, cells[to], timeAt(to));
    from = start;
    answers[order[at]!] = finish(state, at);
  }
  return new CellAnswers(answers);
}

function retracted(aggregate: AnyAggregate, state: unknown, cells: ArrayLike<unknown>, from: number, to: number, timeAt: TimeAt): unknown {
  for (let i = from; i < to; i++) state = aggregate.retract!(state, cells[i], timeAt(i));
  return state;
}
