import type { Column } from './admission/column.ts';
import { plainReaderOf, type PlainReader } from './admission/plainReader.ts';
import { Watermarks } from './admission/watermarks.ts';
import type { Offset, Partition } from './checkpoint/part.ts';
import { Emission } from './emission/emission.ts';
import type { Row } from './emission/row.ts';
import type { ChangedKeys } from './keys/changedKeys.ts';
import { DirtyKeys } from './keys/dirtyKeys.ts';
import { IdleKeys } from './keys/idleKeys.ts';
import { KeyTable } from './keys/keyTable.ts';
import { INVALID_KEY, keyPart, shownPart, type KeyPart } from './keys/partitionKey.ts';
import { openColumns, type Plan } from './plan.ts';
import { Frontier } from './time/frontier.ts';
import { epochMilliseconds } from './time/timestamp.ts';
import { Boundaries } from './windows/boundaries.ts';
import { Bounds } from './windows/bounds.ts';
import { Horizon } from './windows/horizon.ts';
import { Lanes } from './windows/lanes.ts';
import { mergeRuns } from './windows/mergeRuns.ts';
import { emptyAnswer } from './windows/guarded.ts';
import { Windows } from './windows/windows.ts';

/** An event as the engine sees it: columns. */
export type Columns = Record<string, unknown>;
/** The partition columns of a key. */
export type Key = Record<string, unknown>;

/** A row that says until when it is not whole. */
export function warming({ warmUntil }: Core, row: Row): Row {
  row['warmUntil'] = warmUntil;
  return row;
}

/** Who holds a core, and has another one after a restore. */
export interface Holder {
  readonly core: Core;
}

/** So many keys take a few megabytes: what they leave is worth giving back. */
const MANY_KEYS = 1 << 14;

export type Counts = Record<'rows' | 'late' | 'future' | 'invalid' | 'outside' | 'evicted' | 'limited', number>;

/**
 * What an engine holds, in the order in which an event meets it. What moves it stands beside: arrival.ts when an event is
 * pushed, evaluation.ts when the clock advances; questions.ts moves nothing, atRest.ts is the whole as plain values.
 */
export class Core {
  readonly plan: Plan;
  readonly frontier: Frontier;
  readonly watermarks: Watermarks | undefined;
  readonly columns: readonly Column[];
  readonly keys: KeyTable;
  readonly dirty: DirtyKeys = new DirtyKeys();
  /** What changed since moments that someone wants to know about: most engines have none. */
  readonly changes: ChangedKeys[] = [];
  /** Kept only where limits ask for it. */
  readonly idle: IdleKeys | undefined;
  readonly lanes: Lanes;
  readonly windows: Windows;
  readonly boundaries: Boundaries;
  readonly horizon: Horizon;
  readonly emission: Emission;
  /** Reads events where nothing in the plan asks for more than a look at their time, key and numbers. */
  readonly usual: PlainReader | undefined;

  /** The clock is the events' own: nothing can be ahead of it. */
  eventTimeClock = false;
  /** Evaluations done. */
  batch = 0;
  /** Evaluations, and events that were more than usual: where it moved, what was read of the engine before may not hold. */
  stirred = 0;
  /** Events offered. */
  position = 0;
  /** Per partition of the source, the offset of its last event that was offered. */
  readonly offsets: Map<Partition, Offset> = new Map<Partition, Offset>();
  /** The largest event time that was admitted. */
  latest: number = -Infinity;
  counts: Counts = { rows: 0, late: 0, future: 0, invalid: 0, outside: 0, evicted: 0, limited: 0 };
  /** Keys whose state the last evaluation dropped. */
  removed: Key[] = [];
  /** Keys evicted since. */
  evicted: Key[] = [];
  /** Events of evicted keys whose boundaries are still noted, at most. */
  stale = 0;
  /** Of earlier events, not all that windows hold are known: a restore under another plan could not give them. */
  knownFrom: number = -Infinity;
  /** Of each key at most so many of its last events are known for windows of rows: infinity where that is as many as the plan asks for. */
  rowsKnown: number = Infinity;
  /** Until the frontier is here, rows say that they are not whole. */
  warmUntil: number = -Infinity;
  /** Rows of an evaluation that user code broke off: the next one hands them on. */
  owed: Row[] = [];

  /** Where windows begin and end at the frontier. */
  readonly bounds: Bounds;
  /** Where they would begin and end at the later frontier that was asked about last: questions come in bursts of one reading. */
  readonly askedBounds: Bounds;
  /** Their lower edges. */
  readonly cutoffs: Float64Array;
  /** What has entered or left by itself at the frontier. */
  readonly passed: Float64Array;
  /** Events at or before it are in no bounded window. */
  floor: number = -Infinity;
  /** The key of the event that is being looked at. */
  readonly key: KeyPart[];
  readonly since: readonly number[];

  /** `since`: per measure, the restore that its lifetime began with; 0 where it began with the stream. */
  constructor(plan: Plan, since: readonly number[] = []) {
    this.plan = plan;
    this.since = since;
    this.frontier = new Frontier(plan.delay);
    this.watermarks = plan.watermark && new Watermarks(plan.watermark.delay);
    this.columns = openColumns(plan);
    this.keys = new KeyTable(plan.keyColumns.length);
    this.idle = plan.limits && new IdleKeys();
    this.bounds = new Bounds(plan.lookbacks);
    this.askedBounds = new Bounds(plan.lookbacks);
    this.cutoffs = this.bounds.cutoffs;
    this.passed = plan.passings === plan.lookbacks ? this.cutoffs : new Float64Array(plan.passings.length).fill(-Infinity);
    const sources = plan.measures.map(({ measure: { aggregate, kind }, column, second, predicate, lookback }, i) => ({
      aggregate,
      column: this.columns[column],
      second: this.columns[second],
      predicate,
      lookback,
      byCount: plan.lookbacks[lookback]?.rows !== undefined,
      since: since[i] ?? 0,
      raw: kind === 'any' || kind === 'key',
    }));
    this.lanes = new Lanes(sources, plan.lookbacks.length);
    this.windows = new Windows(this.lanes.store, this.lanes, this.bounds, plan);
    this.boundaries = new Boundaries(plan.passings, this.dirty);
    this.horizon = new Horizon(plan.horizon);
    const outputs = plan.measures.map(({ measure: { name, aggregate } }) => ({ name, empty: emptyAnswer(aggregate) }));
    this.emission = new Emission(this.keys, plan.keyColumns, plan.alias, outputs, this.lanes);
    this.key = plan.keyColumns.map(() => null);
    const isUsual = plan.keyColumns.length === 1 && plan.time === epochMilliseconds && !plan.watermark && !plan.limits && !plan.position && plan.predicates.length === 0;
    const numbers = this.lanes.plainNames, [key] = plan.keyColumns;
    this.usual = isUsual && key !== undefined && numbers ? plainReaderOf({ time: plan.orderBy, key, numbers }) : undefined;
  }

  /** Reads the partition columns. False where one can't be part of a key. */
  readKey(columns: Columns, key: KeyPart[] = this.key): boolean {
    const { keyColumns } = this.plan;
    for (let c = 0; c < keyColumns.length; c++) {
      const value = columns[keyColumns[c]!];
      const part = typeof value === 'string' ? value : keyPart(value);
      if (part === INVALID_KEY) return false;
      key[c] = part;
    }
    return true;
  }

  /** Starts the key in `key`. */
  open(): number {
    const slot = this.keys.add(this.key);
    this.windows.open(slot);
    this.emission.open(slot);
    for (const changed of this.changes) changed.mark(slot);
    return slot;
  }

  /** Forgets a key of which nothing is left, or that must go. */
  drop(slot: number): void {
    for (const changed of this.changes) changed.drop(slot, this.keys);
    this.windows.drop(slot);
    this.keys.drop(slot);
    this.idle?.remove(slot);
  }

  /**
   * Whether nearly all of the memory is that of keys which are gone. Only where all windows are bounded and nothing but
   * numbers are summed: aggregates of the user's are not to be run unasked, they could throw after the rows were made.
   */
  get isSparse(): boolean {
    const { room, size } = this.keys;
    return room > MANY_KEYS && size * 8 < room && this.windows.events < room && !this.plan.hasLifetime && this.lanes.summarised.length === 0;
  }

  evict(slot: number): void {
    const { events } = this.windows;
    this.counts.evicted++;
    this.evicted.push(this.keyOf(slot));
    this.drop(slot);
    this.stale += events - this.windows.events;
  }

  /** Notes the boundaries of all events anew: those of evicted keys are gone then. All keys are settled. */
  noteBoundaries(): void {
    const { boundaries, windows, lanes, passed } = this;
    const room = windows.events, times = new Float64Array(room), slots = new Int32Array(room);
    let count = 0;
    for (const slot of this.keys.slots()) {
      windows.scanOwn(slot, (from, to) => {
        for (let position = from; position < to; position++) {
          times[count] = lanes.store.timeAt(position);
          slots[count++] = slot;
        }
      });
    }
    boundaries.clear();
    const noted = mergeRuns({ times: times.subarray(0, count), slots: slots.subarray(0, count) });
    for (let i = 0; i < count; i++) boundaries.add(noted.times[i]!, noted.slots[i]!, passed);
    boundaries.sweep(passed); // cursors pass what has left, and mark keys that were evaluated since
    this.dirty.clear();
    this.stale = 0;
  }

  keyOf(slot: number): Key {
    return this.keyObject(this.keys.keyOf(slot));
  }

  keyObject(parts: readonly KeyPart[]): Key {
    return Object.fromEntries(this.plan.keyColumns.map((name, c) => [name, shownPart(parts[c]!)]));
  }

  /** The frontier is where it is: the edges of windows follow. */
  followFrontier(): void {
    const { plan, bounds, cutoffs, passed, frontier } = this;
    if (frontier.value > -Infinity) {
      bounds.moveTo(frontier.value);
      if (passed !== cutoffs) plan.passings.forEach((edge, i) => (passed[i] = edge.lower(frontier.value)));
    }
    this.floor = cutoffs.length === 0 ? frontier.value : plan.nested ? cutoffs[cutoffs.length - 1]! : Math.min(...cutoffs);
  }
}
