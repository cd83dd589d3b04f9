import { momentsOf } from '../windows/numericState.ts';
import { aggregateAnswers } from './aggregateAnswers.ts';
import type { AnswerColumn } from './answers.ts';
import { frameEdges, type FrameEdges } from './frameEdges.ts';
import { laneValues, openColumns, type LaneValues } from './laneValues.ts';
import { NumericFrames } from './numericFrames.ts';
import type { Row } from './orderKeys.ts';
import type { PlannedColumn, PlannedWindow } from './plan.ts';
import { rowTimes } from './rowTimes.ts';
import { sortedRows } from './sortedRows.ts';
import type { WindowFunction } from './windowFunction.ts';

/**
 * The answers of all columns of a window, in step with `planned.columns`; each by the place of a row in `rows`.
 *
 * @param whole The rows are those of one partition: its columns are not looked at.
 * @throws RollingWindowError `invalid-key` and `invalid-value` for what rows hold, `invalid-window` where a frame or an
 * aggregate does not fit the order column, `user-code` where an aggregate throws.
 */
export function windowAnswers(planned: PlannedWindow, rows: readonly Row[], whole = false): readonly AnswerColumn[] {
  const sorted = sortedRows(rows, planned, whole), times = rowTimes(sorted), columns = openColumns(planned);
  const valuesOf = remembered((lane: NonNullable<PlannedColumn['lane']>) => laneValues(sorted, lane, columns, times));
  const edgesOf = remembered((frame: PlannedColumn['frame']) => frameEdges(sorted, frame));

  const answers: AnswerColumn[] = [], fused: Fused[] = [];
  planned.columns.forEach(({ column: { aggregate, compute }, frame, lane }, i) => {
    const values = lane && valuesOf(lane);
    if (aggregate === undefined) {
      const { framed, answers: answersOf } = compute as WindowFunction;
      answers[i] = answersOf(sorted, values, framed ? edgesOf(frame) : undefined);
    } else if (isFused(planned.columns[i]!, values!)) addTo(fused, i, values!, edgesOf(frame));
    else answers[i] = aggregateAnswers(aggregate, values!, frame, edgesOf(frame), sorted.order);
  });
  for (const { places, values, edges } of fused) {
    const aggregates = places.map((i) => planned.columns[i]!.column.aggregate!);
    new NumericFrames(aggregates.map(({ numeric }) => numeric!), momentsOf(aggregates)).over(values, edges, sorted.order).forEach((answer, at) => (answers[places[at]!] = answer));
  }
  return answers;
}

/** Columns that one fused state answers. */
interface Fused {
  readonly places: number[];
  readonly values: LaneValues;
  readonly edges: FrameEdges;
}

/** Counts need no numbers. */
const isFused = ({ column: { aggregate } }: PlannedColumn, { doubles }: LaneValues): boolean =>
  aggregate?.numeric === 'count' || (aggregate?.numeric !== undefined && doubles !== undefined);

function addTo(fused: Fused[], place: number, values: LaneValues, edges: FrameEdges): void {
  const known = fused.find((one) => one.values === values && one.edges === edges);
  if (known) known.places.push(place);
  else fused.push({ places: [place], values, edges });
}

function remembered<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
