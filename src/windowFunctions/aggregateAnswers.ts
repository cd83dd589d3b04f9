import type { AnyAggregate } from '../aggregates/aggregate.ts';
import type { WindowFrame } from '../measures/windowSpec.ts';
import { guarded } from '../windows/guarded.ts';
import type { AnswerColumn } from './answers.ts';
import type { FrameEdges } from './frameEdges.ts';
import { invalidWindow } from './invalidWindow.ts';
import type { LaneValues } from './laneValues.ts';
import { mergedFrames } from './mergedFrames.ts';
import { NumericFrames } from './numericFrames.ts';
import { runningFrames, type FinishAt, type TimeAt } from './runningFrames.ts';

/**
 * What an aggregate answers over the frames of all rows, by row, where no fused state answers it.
 *
 * @throws RollingWindowError `invalid-window` where it reads times and the window has none, `user-code` where it throws.
 */
export function aggregateAnswers(aggregate: AnyAggregate, values: LaneValues, frame: WindowFrame, edges: FrameEdges, order: Int32Array): AnswerColumn {
  if (aggregate.readsTimes === true && values.times === undefined) {
    throw invalidWindow(`an order column of numbers or dates for ${aggregate.name}, which reads times`, 'a column of another type', 'Order by a column of times');
  }
  const named = guarded(aggregate, null), { times } = values;
  const timeAt: TimeAt = times ? (value) => times[value]! : (value) => value;
  const slides = aggregate.expire ? times === undefined || leavesByTime(frame, times) : aggregate.retract !== undefined;
  return (slides ? runningFrames : mergedFrames)(named, values, edges, order, timeAt, finishAt(aggregate, named, values, edges, order));
}

/** Peers leave a range together; of rows with equal times some may stay. */
const leavesByTime = ({ unit }: WindowFrame, times: Float64Array): boolean => unit === 'range' && !times.some(Number.isNaN);

function finishAt({ extremes }: AnyAggregate, named: AnyAggregate, values: LaneValues, edges: FrameEdges, order: Int32Array): FinishAt {
  if (!extremes) return (state) => named.finish(state);
  const [smallest, largest] = new NumericFrames(['min', 'max']).over(values, edges, order);
  const bound = (answers: AnswerColumn | undefined, row: number): number | undefined => (answers?.at(row) ?? undefined) as number | undefined;
  return (state, position) => named.finish(state, bound(smallest, order[position]!), bound(largest, order[position]!));
}
