import type { Column } from '../admission/column.ts';
import type { AnyAggregate, MomentArithmetic } from '../aggregates/aggregate.ts';
import { EventStore, MISSING, NONE } from './eventStore.ts';
import { guarded, type Inside } from './guarded.ts';
import type { ValueAt } from './measureKernel.ts';
import { MergedKernel } from './mergedKernel.ts';
import { NumericKernel } from './numericKernel.ts';
import { EXTREMES, momentsOf, needsOf } from './numericState.ts';
import { RunningKernel } from './runningKernel.ts';
import type { Kernel, Summaries } from './window.ts';

/** What a measure needs of the events, as the plan puts it. */
export interface MeasureSource {
  readonly aggregate: AnyAggregate;
  /** Undefined for `count(*)`. */
  readonly column: Column | undefined;
  /** Of an aggregate of pairs: the column of the second value. */
  readonly second?: Column | undefined;
  /** Index among the plan's predicates, or NONE. */
  readonly predicate: number;
  /** Index of the lookback; the number of lookbacks for a lifetime. */
  readonly lookback: number;
  /** Its lookback holds a number of events, not those of a length of time. */
  readonly byCount?: boolean;
  /** Measures of different numbers share no lifetime state, since theirs began at different times. Default 0. */
  readonly since?: number;
  /** Its values are kept as they are, not as doubles: they may be anything. */
  readonly raw: boolean;
}

/** What a column of events at rest holds: of which column, whether behind a filter, and for which measures. */
export interface LaneShape {
  /** Null where it only says which events pass a filter. */
  readonly column: string | null;
  readonly filtered: boolean;
  /** Only whether there is a value. */
  readonly presence: boolean;
  readonly measures: readonly number[];
}

/** Where a measure's answer comes from: the fused state of a number column, or a summary of its own. */
type Answer = NumericKernel | MergedKernel | RunningKernel;

/** One value per event that some measures read: of a column, or of a filter on it. */
interface Lane {
  readonly column: Column | undefined;
  readonly predicate: number;
  /** Where its doubles stand in the store, or NONE. */
  readonly number: number;
  /** Where its cells stand in the store, or NONE. */
  cells: number;
  /** Only whether there is a value matters, or its numbers are kept as cells. */
  presenceOnly: boolean;
  readonly measures: number[];
  /** These, and those that read it as one of a pair. */
  readonly readers: number[];
  /** The name of a column that no filter is on and whose values, once it has its type, are numbers. */
  plain: string | undefined;
  /** Of the event that is being looked at, as it came: kept only while a column waits for its type. */
  value: unknown;
}

/**
 * Which values of an event are kept, and how: numbers as doubles in the slab, with counts, sums, extremes and moments of a
 * column in one fused state; whatever else as cells, with a summary per measure. A column turns from the first to the
 * second when its first value is a bigint, a text, a date or a boolean.
 */
export class Lanes implements Summaries {
  readonly store: EventStore;
  readonly kernels: Kernel[] = [];
  readonly running: RunningKernel[] = [];
  readonly numeric: NumericKernel[] = [];
  readonly answers: Answer[] = [];
  /** Which measures are answered by a summary of their own, and not by a fused state. */
  readonly summarised: number[] = [];
  inOrder = false;
  /** Whether a column still waits for the value that gives it its type. */
  untyped = false;
  /** Whether an event with a number in each of `plainNames` may be written as it is. */
  takesPlain = false;
  /** The values of the event that is being looked at. */
  readonly numbers: Float64Array;
  cells: unknown[] = [];
  /** Whether a summary is running its aggregate. */
  readonly inside: Inside = { depth: 0 };
  private readonly lanes: Lane[] = [];
  /** By fused state: the lane that it is of. */
  private readonly numericLanes: (Lane | undefined)[] = [];
  private readonly measures: readonly MeasureSource[];
  private readonly lookbacks: number;

  constructor(measures: readonly MeasureSource[], lookbacks: number) {
    this.measures = measures;
    this.lookbacks = lookbacks;
    const pairs = new Map<number, readonly [Lane, Lane]>();
    measures.forEach((measure, i) => {
      const lane = this.laneOf(measure);
      lane?.readers.push(i);
      if (lane !== undefined && measure.second !== undefined) {
        const second = this.laneOf({ ...measure, column: measure.second, raw: false })!;
        second.readers.push(i);
        pairs.set(i, [lane, second]);
      } else lane?.measures.push(i);
    });
    const numbers = this.lanes.filter((lane) => lane.number !== NONE);
    this.numbers = new Float64Array(numbers.length);
    this.store = new EventStore(numbers.length);
    for (const lane of this.lanes) if (lane.cells !== NONE) lane.cells = this.addCells();
    this.fuseAll([...measures.keys()].filter((i) => isEveryEvent(measures[i]!)), [], undefined);
    for (const lane of this.lanes) this.summarise(lane);
    for (const [i, lanes] of pairs) this.addSummary(i, this.pairReader(lanes, measures[i]!.aggregate.nullable === true));
    this.checkTypes();
  }

  /** The columns, by lane, where each lane holds the values of one; else undefined. */
  get plainNames(): readonly string[] | undefined {
    const names = this.lanes.flatMap(({ plain }) => plain ?? []);
    return names.length < this.lanes.length ? undefined : names;
  }

  /** Reads the event's values. False where a column can't take one. */
  read(event: Record<string, unknown>, passed: readonly boolean[]): boolean {
    for (const lane of this.lanes) if (!this.readLane(lane, event, passed)) return false;
    return true;
  }

  private readLane(lane: Lane, event: Record<string, unknown>, passed: readonly boolean[]): boolean {
    const { column, predicate } = lane;
    let value: unknown = predicate !== NONE && !passed[predicate] ? undefined : column === undefined ? 0 : event[column.name];
    if (value === null) value = undefined;
    if (value !== undefined && column !== undefined && !column.accepts(value)) return false;
    if (this.untyped) lane.value = value;
    this.take(lane, value);
    return true;
  }

  private take({ number, cells, presenceOnly }: Lane, value: unknown): void {
    if (number !== NONE) this.numbers[number] = value === undefined ? MISSING : presenceOnly ? 0 : typeof value === 'number' ? value + 0 : 0;
    if (cells !== NONE) this.cells[cells] = value instanceof Date ? new Date(value) : value;
  }

  /** The values read last belong to an event that counts: columns take their types from the first such. Whether one turned. */
  settleTypes(): boolean {
    const { cells } = this;
    for (const { column, value } of this.lanes) if (value !== undefined && column?.settles(value)) this.turn(column);
    this.checkTypes();
    for (const lane of this.lanes) {
      this.take(lane, lane.value);
      lane.value = undefined;
    }
    return this.cells !== cells; // each turn makes a column of cells
  }

  /** Sees which columns have their types. */
  checkTypes(): void {
    this.untyped = this.lanes.some(({ column }) => column?.isOpen);
    this.takesPlain = !this.untyped && this.plainNames !== undefined;
  }

  /** The column's type is known; where it is not a number, its values move from the slab to cells. */
  turn(column: Column): void {
    if (column.type === 'number') return;
    for (const lane of this.lanes) {
      if (lane.column !== column || lane.presenceOnly || lane.number === NONE) continue;
      lane.presenceOnly = true;
      lane.plain = undefined;
      this.takesPlain = false;
      lane.cells = this.addCells();
      const fused = lane.measures.filter((i) => this.answers[i] instanceof NumericKernel && this.measures[i]!.aggregate.numeric !== 'count');
      for (const i of fused) this.addSummary(i, this.reader(lane));
    }
  }

  /** The columns of cells in the order of the plan: they came to be in the order in which columns got their types. */
  get cellOrder(): number[] {
    return this.lanes.flatMap(({ cells }) => (cells === NONE ? [] : [cells]));
  }

  /** The columns of doubles and of cells, in the order in which they are at rest. */
  get shapes(): { readonly numbers: readonly LaneShape[]; readonly cells: readonly LaneShape[] } {
    return {
      numbers: this.lanes.filter(({ number }) => number !== NONE).map((lane) => shapeOf(lane, lane.presenceOnly)),
      cells: this.lanes.filter(({ cells }) => cells !== NONE).map((lane) => shapeOf(lane, false)),
    };
  }

  /** The lane of a fused state; undefined where it counts events. */
  shapeOfNumeric(kernel: number): LaneShape | undefined {
    const lane = this.numericLanes[kernel];
    return lane && shapeOf(lane, lane.presenceOnly);
  }

  get bytes(): number {
    let sum = this.store.bytes;
    for (const kernel of this.kernels) sum += kernel.bytes;
    for (const kernel of this.running) sum += kernel.bytes;
    return sum;
  }

  private laneOf({ column, predicate, raw, aggregate }: MeasureSource): Lane | undefined {
    if (column === undefined && predicate === NONE) return undefined;
    const cells = raw && aggregate.numeric !== 'count';
    let lane = this.lanes.find((other) => other.column === column && other.predicate === predicate && (other.cells !== NONE) === cells);
    if (lane === undefined) {
      const number = cells ? NONE : this.lanes.filter((other) => other.number !== NONE).length;
      this.lanes.push((lane = { column, predicate, number, cells: cells ? 0 : NONE, presenceOnly: !cells, measures: [], readers: [], value: undefined, plain: undefined }));
    }
    lane.presenceOnly &&= aggregate.numeric === 'count';
    lane.plain = cells || lane.presenceOnly || predicate !== NONE ? undefined : column?.name;
    return lane;
  }

  /** Gives each measure of the lane its summary. */
  private summarise(lane: Lane): void {
    const fused = lane.number === NONE ? [] : lane.measures.filter((i) => this.measures[i]!.aggregate.numeric !== undefined);
    const bounded = lane.number === NONE ? [] : lane.measures.filter((i) => this.measures[i]!.aggregate.extremes);
    const numeric = this.fuseAll(fused, bounded, lane);
    for (const i of lane.measures) if (!fused.includes(i)) this.addSummary(i, this.reader(lane), numeric.get(this.sinceOf(i)));
  }

  /**
   * Gives measures of a lane, of all events without one, their fused state: one for each time that lifetimes began.
   * `bounded`: measures that ask it for their extremes.
   */
  private fuseAll(measures: readonly number[], bounded: readonly number[], lane: Lane | undefined): ReadonlyMap<number, NumericKernel> {
    const kernels = new Map<number, NumericKernel>();
    for (const since of new Set([...measures, ...bounded].map((i) => this.sinceOf(i)))) {
      const own = measures.filter((i) => this.sinceOf(i) === since);
      const needs = bounded.some((i) => this.sinceOf(i) === since) ? EXTREMES : 0;
      const kernel = this.addNumeric(lane, own.reduce((flags, i) => flags | needsOf(this.measures[i]!.aggregate.numeric!), needs), momentsOf(own.map((i) => this.measures[i]!.aggregate)));
      for (const i of own) this.fuse(i, kernel);
      kernels.set(since, kernel);
    }
    return kernels;
  }

  private sinceOf(i: number): number {
    return this.measures[i]!.since ?? 0;
  }

  private addNumeric(lane: Lane | undefined, needs: number, moments: MomentArithmetic | undefined): NumericKernel {
    const kernel = new NumericKernel(this.store, lane?.number ?? NONE, needs, moments, this.lookbacks);
    this.kernels.push(kernel);
    this.numeric.push(kernel);
    this.numericLanes.push(lane);
    return kernel;
  }

  private fuse(i: number, kernel: NumericKernel): void {
    const { aggregate, lookback } = this.measures[i]!;
    this.answers[i] = kernel;
    kernel.answers.add(i, aggregate.numeric!, lookback);
  }

  private addSummary(i: number, valueAt: ValueAt, numeric?: NumericKernel): void {
    const { aggregate, lookback, byCount } = this.measures[i]!;
    const before = this.answers[i];
    if (before instanceof NumericKernel) before.answers.keepCounts(); // whoever reads more of a column turns with it
    this.summarised.push(i);
    const named = guarded(aggregate, undefined, this.inside), extremes = aggregate.extremes ? numeric : undefined;
    const events = { valueAt, timeAt: (position: number): number => this.store.timeAt(position) };
    // Of several events of one instant some may have left a window of rows: there nothing leaves by its time.
    const slides = aggregate.expire ? !byCount : aggregate.retract !== undefined;
    if (lookback === this.lookbacks || slides) {
      const kernel = new RunningKernel(named, events, lookback, extremes);
      this.running.push(kernel);
      this.answers[i] = kernel;
    } else {
      const kernel = new MergedKernel(named, events, lookback, extremes);
      this.kernels.push(kernel);
      this.answers[i] = kernel;
      this.inOrder = true;
    }
  }

  private addCells(): number {
    this.cells = [...this.cells, undefined];
    return this.store.addCells();
  }

  /** Looks anew each time where the lane's values are: a column may turn from doubles to cells. */
  private reader(lane: Lane): ValueAt {
    const { store } = this;
    return (position) => (lane.cells === NONE ? store.numberAt(position, lane.number) : store.cellAt(position, lane.cells));
  }

  private pairReader([first, second]: readonly [Lane, Lane], nullable: boolean): ValueAt {
    const [xAt, yAt] = [this.reader(first), this.reader(second)];
    return (position) => {
      const y = yAt(position), x = y === undefined ? undefined : xAt(position);
      return y === undefined || (x === undefined && !nullable) ? undefined : [x ?? null, y];
    };
  }
}

const shapeOf = ({ column, predicate, readers }: Lane, presence: boolean): LaneShape => ({ column: column?.name ?? null, filtered: predicate !== NONE, presence, measures: readers });

const isEveryEvent = ({ column, predicate }: MeasureSource): boolean => column === undefined && predicate === NONE;
