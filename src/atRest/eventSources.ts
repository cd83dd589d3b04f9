import { DoubleView } from '../checkpoint/doubleView.ts';
import type { EventColumns } from '../checkpoint/events.ts';
import type { StateLayout } from '../checkpoint/layout.ts';
import { isMissing, MISSING } from '../windows/eventStore.ts';
import type { LaneShape } from '../windows/lanes.ts';
import type { MeasureOrigin } from './planChange.ts';

/** The column of a snapshot that has the values of a lane. */
export interface LaneSource {
  readonly kind: 'numbers' | 'cells';
  readonly index: number;
  /** It only says which events have a value. */
  readonly presence: boolean;
  /** Where else it stands among the numbers which events have a value: the values may have been kept for a shorter time. */
  readonly counted?: number | undefined;
}

/** Where a lane finds its values in a snapshot; undefined where they were not kept. */
export function sourceOf(lane: LaneShape, isCells: boolean, layout: StateLayout, origins: readonly MeasureOrigin[]): LaneSource | undefined {
  const sources = [
    ...layout.numbers.map((shape, index) => ({ kind: 'numbers' as const, index, shape })),
    ...layout.cells.map((shape, index) => ({ kind: 'cells' as const, index, shape })),
  ].filter(({ shape }) => isOf(shape, lane, origins));
  const whole = sources.filter(({ shape }) => lane.presence || !shape.presence);
  // Where only the presence of values was kept, that is still all that a count needs.
  const source = whole.find(({ kind }) => (kind === 'cells') === isCells) ?? whole[0] ?? sources[0];
  const counted = sources.find(({ kind, shape }) => kind === 'numbers' && shape.presence);
  return source && { kind: source.kind, index: source.index, presence: source.shape.presence, counted: counted === source ? undefined : counted?.index };
}

/** Whether the column holds the lane's values: of one column of the event, behind the same filter, which goes by the measures that have it. */
function isOf(shape: LaneShape, lane: LaneShape, origins: readonly MeasureOrigin[]): boolean {
  if (shape.column !== lane.column || shape.filtered !== lane.filtered) return false;
  if (!lane.filtered) return true;
  const known = lane.measures.flatMap((i) => origins[i]!.index ?? []);
  return known.length > 0 && known.every((i) => shape.measures.includes(i));
}

/** The events under another plan's lanes: a column per source, missing everywhere where there is none. */
export function columnsFrom(events: EventColumns, numbers: readonly (LaneSource | undefined)[], presences: readonly boolean[], cells: readonly (LaneSource | undefined)[]): EventColumns {
  const { times } = events;
  return {
    times,
    numbers: numbers.map((source, i) => numbersFrom(events, source, presences[i]!)),
    cells: cells.map((source) => cellsFrom(events, source)),
  };
}

function numbersFrom(events: EventColumns, source: LaneSource | undefined, presence: boolean): DoubleView {
  const values = valuesFrom(events, source, presence), counted = events.numbers[source?.counted ?? -1];
  return counted === undefined ? values : DoubleView.of(values.length, (i) => (isMissing(values.at(i)) && !isMissing(counted.at(i)) ? 0 : values.at(i)));
}

function valuesFrom({ times, numbers, cells }: EventColumns, source: LaneSource | undefined, presence: boolean): DoubleView {
  const { length } = times;
  if (source === undefined) return DoubleView.of(length, () => MISSING);
  if (source.kind === 'cells') {
    const values = cells[source.index]!;
    return DoubleView.of(length, (i) => (values[i] === undefined ? MISSING : presence ? 0 : Number(values[i]) + 0));
  }
  const column = numbers[source.index]!;
  return presence && !source.presence ? DoubleView.of(length, (i) => (isMissing(column.at(i)) ? MISSING : 0)) : column;
}

function cellsFrom({ times, numbers, cells }: EventColumns, source: LaneSource | undefined): readonly unknown[] {
  if (source === undefined || source.presence) return new Array<undefined>(times.length).fill(undefined);
  if (source.kind === 'cells') return cells[source.index]!;
  const column = numbers[source.index]!;
  return Array.from({ length: times.length }, (_, i) => (isMissing(column.at(i)) ? undefined : column.at(i)));
}
