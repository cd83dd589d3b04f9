import type { ValueKind } from '../aggregates/aggregate.ts';
import type { AnyWindowColumn, AnyWindowFunction, WindowColumn } from '../measures/windowMeasure.ts';
import type { WindowSpec } from '../measures/windowSpec.ts';
import type { AnswerColumn } from './answers.ts';
import type { FrameEdges } from './frameEdges.ts';
import type { LaneValues } from './laneValues.ts';
import { invalidWindow } from './invalidWindow.ts';
import type { OrderedWindow } from './windowSteps.ts';
import type { SortedRows } from './sortedRows.ts';

/** What stands in a column for each row, out of the row's place in its window, or of the rows beside it. */
export interface WindowFunction extends AnyWindowFunction {
  /** Whether it means something only where rows have an order. */
  readonly needsOrder: boolean;
  /** Whether it sees the rows of a frame; else it sees the partition, whatever the frame. */
  readonly framed: boolean;
  /** Whether rows without a value are not there for it. */
  readonly ignoreNulls: boolean;
  /** The answers, by the place of the row among those that came in. `values` and `edges` are there where it asks for them. */
  readonly answers: (rows: SortedRows, values: LaneValues | undefined, edges: FrameEdges | undefined) => AnswerColumn;
}

/** A function without its window. */
export interface WindowFunctionBuilder<Column extends string, Values, Name extends string, Out, W extends WindowSpec> {
  readonly name: Name;
  /** The window whose rows it sees. */
  over<Over extends W>(window: Over): NamedWindowFunction<Column, Values, Name, Out, Over>;
}

/** A function over its window, still to be named otherwise than by default. */
export interface NamedWindowFunction<Column extends string, Values, Name extends string, Out, W extends WindowSpec> extends WindowColumn<Column, Values, Name, Out, W> {
  /** Names the output column. */
  as<const Other extends string>(name: Other): WindowColumn<Column, Values, Other, Out, W>;
}

/** A window that ranking and offset functions take: with an order, and without a frame. */
export type AnyOrderedWindow = OrderedWindow<string, string, string>;

/**
 * Makes a window function of some columns.
 *
 * @throws RollingWindowError `invalid-window` where a column is no text; in `.over`, where the window lacks the order or
 * has a frame that the function can't use; in `.as`, where the name is none.
 */
export function windowFunction<Column extends string, Values, Name extends string, Out, W extends WindowSpec>(
  compute: WindowFunction,
  columns: readonly string[],
  kind: ValueKind = 'any',
): WindowFunctionBuilder<Column, Values, Name, Out, W> {
  const { name } = compute;
  for (const column of columns) if (typeof column !== 'string') throw invalidWindow(`the name of a column for ${name}`, column);
  const over = (window: WindowSpec): unknown => {
    checkWindow(compute, window);
    const made: AnyWindowColumn = { name, columns: Object.freeze(columns), kind, window, compute, predicate: undefined };
    return Object.freeze({ ...made, as: (other: string) => Object.freeze({ ...made, name: checkedName(other) }) });
  };
  return Object.freeze({ name, over }) as unknown as WindowFunctionBuilder<Column, Values, Name, Out, W>;
}

function checkWindow({ name, needsOrder, framed }: WindowFunction, spec: WindowSpec): void {
  if ((spec as Partial<WindowSpec> | null)?.kind !== 'window') throw invalidWindow("a window such as Window.orderBy('at')", spec);
  if (needsOrder && spec.order.length === 0) throw invalidWindow(`an order for ${name}`, 'a window without one', 'Add .orderBy(...) to the window');
  if (!framed && spec.frame !== undefined) throw invalidWindow(`a window without a frame for ${name}, which sees the whole partition`, 'one with a frame', 'Leave rowsBetween and rangeBetween out');
}

function checkedName(name: unknown): string {
  if (typeof name !== 'string' || name === '') throw invalidWindow('a name for the output column', name);
  return name;
}
