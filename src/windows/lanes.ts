import type { Column } from '../admission/column.ts';
import type { AnyAggregate } from '../aggregates/aggregate.ts';
import { EventStore, MISSING, NONE } from './eventStore.ts';
import { guarded } from './guarded.ts';
import type { ValueAt } from './measureKernel.ts';
import { MergedKernel } from './mergedKernel.ts';
import { extremesNeed, needsOf, NumericKernel } from './numericKernel.ts';
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
  /** Its values are kept as they are, not as doubles: they may be anything. */
  readonly raw: boolean;
}

/** Events at rest, by columns. */
export interface EventColumns {
  readonly times: Float64Array;
  readonly numbers: readonly Float64Array[];
  readonly cells: readonly (readonly unknown[])[];
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
  private readonly lanes: Lane[] = [];
  private readonly measures: readonly MeasureSource[];
  private readonly lookbacks: number;

  constructor(measures: readonly MeasureSource[], lookbacks: number) {
    this.measures = measures;
    this.lookbacks = lookbacks;
    const pairs = new Map<number, readonly [Lane, Lane]>();
    measures.forEach((measure, i) => {
      const lane = this.laneOf(measure);
      if (lane !== undefined && measure.second !== undefined) pairs.set(i, [lane, this.laneOf({ ...measure, column: measure.second, raw: false })!]);
      else lane?.measures.push(i);
    });
    const numbers = this.lanes.filter((lane) => lane.number !== NONE);
    this.numbers = new Float64Array(numbers.length);
    this.store = new EventStore(numbers.length);
    for (const lane of this.lanes) if (lane.cells !== NONE) lane.cells = this.addCells();
    const events = measures.some(isEveryEvent) ? this.addNumeric(NONE, 0) : undefined;
    measures.forEach((measure, i) => {
      if (events && isEveryEvent(measure)) this.fuse(i, events);
    });
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

  /** The values read last belong to an event that counts: columns take their types from the first such. */
  settleTypes(): void {
    for (const { column, value } of this.lanes) if (value !== undefined && column?.settles(value)) this.turn(column);
    this.checkTypes();
    for (const lane of this.lanes) {
      this.take(lane, lane.value);
      lane.value = undefined;
    }
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

  /** Columns for events at rest: one per lane of doubles, one per column of cells. */
  emptyEvents(): { times: number[]; numbers: number[][]; cells: unknown[][] } {
    return { times: [], numbers: Array.from(this.numbers, () => []), cells: this.cellOrder.map(() => []) };
  }

  /** Appends the events at [from, to) to columns. */
  copyEvents(from: number, to: number, into: ReturnType<Lanes['emptyEvents']>): void {
    const { store, cellOrder } = this;
    for (let position = from; position < to; position++) {
      into.times.push(store.timeAt(position));
      into.numbers.forEach((lane, i) => lane.push(store.numberAt(position, i) ?? MISSING));
      into.cells.forEach((column, i) => column.push(store.cellAt(position, cellOrder[i]!)));
    }
  }

  /** Makes the event at an index of such columns the one that is being looked at, and gives its time. */
  load({ times, numbers, cells }: EventColumns, at: number): number {
    numbers.forEach((lane, i) => (this.numbers[i] = lane[at]!));
    cells.forEach((column, i) => (this.cells[this.cellOrder[i]!] = column[at]));
    return times[at]!;
  }

  /** The columns of cells in the order of the plan: they came to be in the order in which columns got their types. */
  private get cellOrder(): number[] {
    return this.lanes.flatMap(({ cells }) => (cells === NONE ? [] : [cells]));
  }

  get bytes(): number {
    return this.store.bytes + [...this.kernels, ...this.running].reduce((sum, kernel) => sum + kernel.bytes, 0);
  }

  private laneOf({ column, predicate, raw, aggregate }: MeasureSource): Lane | undefined {
    if (column === undefined && predicate === NONE) return undefined;
    const cells = raw && aggregate.numeric !== 'count';
    let lane = this.lanes.find((other) => other.column === column && other.predicate === predicate && (other.cells !== NONE) === cells);
    if (lane === undefined) {
      const number = cells ? NONE : this.lanes.filter((other) => other.number !== NONE).length;
      this.lanes.push((lane = { column, predicate, number, cells: cells ? 0 : NONE, presenceOnly: !cells, measures: [], value: undefined, plain: undefined }));
    }
    lane.presenceOnly &&= aggregate.numeric === 'count';
    lane.plain = cells || lane.presenceOnly || predicate !== NONE ? undefined : column?.name;
    return lane;
  }

  /** Gives each measure of the lane its summary. */
  private summarise(lane: Lane): void {
    const fused = lane.number === NONE ? [] : lane.measures.filter((i) => this.measures[i]!.aggregate.numeric !== undefined);
    const bounded = lane.number !== NONE && lane.measures.some((i) => this.measures[i]!.aggregate.extremes);
    let numeric: NumericKernel | undefined;
    if (fused.length > 0 || bounded) {
      const needs = fused.reduce((flags, i) => flags | needsOf(this.measures[i]!.aggregate.numeric!), bounded ? extremesNeed : 0);
      numeric = this.addNumeric(lane.number, needs);
      for (const i of fused) this.fuse(i, numeric);
    }
    for (const i of lane.measures) if (!fused.includes(i)) this.addSummary(i, this.reader(lane), numeric);
  }

  private addNumeric(lane: number, needs: number): NumericKernel {
    const kernel = new NumericKernel(this.store, lane, needs, this.lookbacks);
    this.kernels.push(kernel);
    this.numeric.push(kernel);
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
    const named = guarded(aggregate), extremes = aggregate.extremes ? numeric : undefined;
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

const isEveryEvent = ({ column, predicate }: MeasureSource): boolean => column === undefined && predicate === NONE;
