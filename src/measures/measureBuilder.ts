import { RollingWindowError, shown } from '../errors.ts';
import type { AnyAggregate, ValueKind } from '../aggregates/aggregate.ts';
import type { Frame } from './frames.ts';
import type { AnyMeasure, Measure } from './measure.ts';
import type { FilteredWindowMeasure, WindowMeasure } from './windowMeasure.ts';
import type { WindowSpec } from './windowSpec.ts';

// The frame comes last: what is neither is told what it should have been by the last one.
interface Over<Next, Column extends string, Values, Name extends string, Out, Event> {
  /** A column of `windowFunctions`: computed for each row of the rows that its window has. */
  over<W extends WindowSpec>(window: W): WindowMeasure<Column, Values, Name, Out, W, Event>;
  /** Looks back over a frame: `.over(preceding(range('1 hour')))`. Without it: everything since the stream started. */
  over(frame: Frame): Next;
}

interface OverOnce<Next, Column extends string, Values, Name extends string, Out, Event> {
  /** A column of `windowFunctions`: computed for each row of the rows that its window has. */
  over<W extends WindowSpec>(window: W): FilteredWindowMeasure<Column, Values, Name, Out, W, Event>;
  /** Looks back over a frame: `.over(preceding(range('1 hour')))`. Without it: everything since the stream started. */
  over(frame: Frame): Next;
}

interface As<Column extends string, Values, Out, Event> {
  /** Names the output column. */
  as<const Name extends string>(name: Name): Measure<Column, Values, Name, Out, Event>;
}

/** A measure without a frame and a filter. Frozen: each step gives a new one. */
export interface MeasureBuilder<Column extends string, Values, Name extends string, Out, Event = unknown>
  extends Measure<Column, Values, Name, Out>,
    Over<FramedMeasure<Column, Values, Name, Out, Event>, Column, Values, Name, Out, Event>,
    As<Column, Values, Out, unknown> {
  /** Counts only events for which the predicate is true. It runs once per event, when the event arrives. */
  filter<E = Event>(predicate: (event: E) => boolean): FilteredMeasure<Column, Values, Name, Out, E>;
}

/** A measure with its frame. */
export interface FramedMeasure<Column extends string, Values, Name extends string, Out, Event = unknown>
  extends Measure<Column, Values, Name, Out>,
    As<Column, Values, Out, unknown> {
  /** Counts only events for which the predicate is true. It runs once per event, when the event arrives. */
  filter<E = Event>(predicate: (event: E) => boolean): UnnamedMeasure<Column, Values, Name, Out, E>;
}

/** A measure with its filter. */
export interface FilteredMeasure<Column extends string, Values, Name extends string, Out, Event>
  extends Measure<Column, Values, Name, Out, Event>,
    OverOnce<UnnamedMeasure<Column, Values, Name, Out, Event>, Column, Values, Name, Out, Event>,
    As<Column, Values, Out, Event> {}

/** A measure with frame and filter, still to be named otherwise than by default. */
export interface UnnamedMeasure<Column extends string, Values, Name extends string, Out, Event>
  extends Measure<Column, Values, Name, Out, Event>,
    As<Column, Values, Out, Event> {}

/** How a measure is made, where its columns don't say all. */
interface MeasureOptions {
  /** Its default name. Without: the aggregate's name, and the columns in brackets. */
  readonly name?: string;
  /** What the second of two columns may hold. */
  readonly secondKind?: ValueKind;
  /** Throws where the measure can't be over a frame. */
  readonly checkFrame?: () => void;
}

/**
 * Makes the measure of some columns, under the aggregate's name for them or another.
 *
 * @throws RollingWindowError `invalid-measure` where a column is no text.
 */
export function measure<Column extends string, Values, Name extends string, Out, Event>(
  aggregate: AnyAggregate,
  kind: ValueKind,
  columns: readonly string[],
  { name, secondKind, checkFrame }: MeasureOptions = {},
): MeasureBuilder<Column, Values, Name, Out, Event> {
  for (const column of columns) check(typeof column === 'string', 'the name of a column', column);
  const plain: AnyMeasure = {
    name: name ?? `${aggregate.name}(${columns.join(', ')})`,
    columns: Object.freeze(columns),
    kind,
    secondKind,
    aggregate,
    frame: undefined,
    predicate: undefined,
  };
  return builder(plain, false, checkFrame) as unknown as MeasureBuilder<Column, Values, Name, Out, Event>;
}

/** The compiler shows fewer steps than there are; whoever comes without it is told here. */
const frameKinds: readonly (Frame['kind'] | undefined)[] = ['preceding', 'since', 'sliding'];

/** A measure in the making. */
interface Made extends AnyMeasure {
  readonly window?: WindowSpec;
}

function builder(measure: Made, named: boolean, checkFrame: MeasureOptions['checkFrame']): AnyMeasure {
  const once = (step: string, taken: unknown): void => check(!named && taken === undefined, `.${step}() once, and before .as()`, measure.name);
  return Object.freeze({
    ...measure,
    over(frame: Frame | WindowSpec) {
      once('over', measure.frame ?? measure.window);
      if ((frame as Partial<WindowSpec> | null)?.kind === 'window') return builder({ ...measure, window: frame as WindowSpec }, false, checkFrame);
      const given = isFrame(frame) ? frame : undefined;
      check(given !== undefined, "a frame such as preceding(range('1 hour')), or a window such as Window.orderBy('at')", frame);
      checkFrame?.();
      return builder({ ...measure, frame: given }, false, checkFrame);
    },
    filter(predicate: (event: never) => boolean) {
      once('filter', measure.predicate);
      check(typeof predicate === 'function', 'a predicate', predicate);
      return builder({ ...measure, predicate }, false, checkFrame);
    },
    as(name: string) {
      once('as', undefined);
      check(typeof name === 'string' && name !== '', 'a name for the output column', name);
      return builder({ ...measure, name }, true, checkFrame);
    },
  });
}

const isFrame = (frame: Frame | WindowSpec): frame is Frame => frameKinds.includes((frame as Partial<Frame> | null)?.kind);

function check(right: boolean, expected: string, given: unknown): void {
  if (!right) throw new RollingWindowError('invalid-measure', { expected, given: shown(given) });
}
