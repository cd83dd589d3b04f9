import type { AnyEngineConfig, Dropped } from '../../src/config.ts';
import type { Engine } from '../../src/engineTypes.ts';
import { describeSnapshot } from '../../src/checkpoint/describeSnapshot.ts';
import { internalsOf, type PartInSteps } from '../../src/internals.ts';
import { RollingWindowError } from '../../src/errors.ts';
import { identity } from '../../src/testing/naiveAnswer.ts';
import { naiveEngine } from '../../src/testing/naive.ts';

export type Columns = Record<string, unknown>;
export type AnyEngine = Engine<Columns, Columns, Columns>;
export type StartEngine = (config: AnyEngineConfig) => AnyEngine;

/** By how much a number may differ. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/**
 * The engine and the naive one side by side: every call goes to both, and whatever can be seen of them must be equal.
 *
 * `loose` names columns that need only agree within a tolerance, since they are computed by other formulas: there a
 * row may leave because of its last digit alone, and then its earlier row must have been as good.
 */
export class Duel {
  now: number;
  private engine: AnyEngine;
  /** A base and its deltas, as a store would hold them; and a part that is being taken. */
  private parts: Uint8Array[] = [];
  private slow: PartInSteps | undefined;
  /** What was saved when it began. */
  private slowFrom: readonly Uint8Array[] = [];
  private readonly naive: AnyEngine;
  private readonly start: StartEngine;
  private readonly config: AnyEngineConfig;
  private readonly keyColumns: readonly string[];
  private readonly loose: ReadonlyMap<string, Tolerance>;
  private readonly dropped: [Dropped<Columns>[], Dropped<Columns>[]] = [[], []];
  private readonly shown: [Map<string, Columns>, Map<string, Columns>] = [new Map<string, Columns>(), new Map<string, Columns>()];

  constructor(start: StartEngine, config: AnyEngineConfig, now: number, loose: ReadonlyMap<string, Tolerance> = new Map()) {
    const listened = (side: 0 | 1): AnyEngineConfig => ({ ...config, dropped: { next: (event) => this.dropped[side].push(event) } });
    this.start = start;
    this.config = listened(0);
    this.keyColumns = [config.partitionBy].flat();
    this.now = now;
    this.loose = loose;
    this.engine = start(this.config);
    this.naive = naiveEngine<Columns>()(listened(1));
  }

  push(event: Columns, now: number = this.now): void {
    const outcome = (engine: AnyEngine): string => {
      try {
        return engine.push(event, now);
      } catch (error) {
        return error instanceof RollingWindowError ? `error ${error.code}` : `error ${String(error)}`;
      }
    };
    equal('what became of the event', outcome(this.engine), outcome(this.naive));
    this.compareDropped();
    this.compareState();
  }

  /** Moves the clock and evaluates. Gives the number of rows of the naive engine. */
  advance(now: number = this.now): number {
    this.now = now;
    const rows = this.byKey(this.engine.advance(now)), expected = this.byKey(this.naive.advance(now));
    for (const [key, row] of expected) this.compareRow(key, rows.get(key) ?? this.silent(0, key), row);
    for (const [key, row] of rows) if (!expected.has(key)) this.compareRow(key, row, this.silent(1, key));
    for (const [key, row] of rows) this.shown[0].set(key, row);
    for (const [key, row] of expected) this.shown[1].set(key, row);

    const removed = [this.engine, this.naive].map((engine) => engine.removed.map((key) => this.keyOf(key)).sort());
    equal('removed keys', String(removed[0]), String(removed[1]));
    for (const key of removed[0] ?? []) for (const side of this.shown) side.delete(key);
    this.compareState();
    return expected.size;
  }

  query(key: Columns, now?: number): void {
    const at = now === undefined ? [] : [now];
    this.compareRow(this.keyOf(key), this.engine.query(key, ...at), this.naive.query(key, ...at));
    const rows = this.byKey(this.engine.queryAll(...at)), expected = this.byKey(this.naive.queryAll(...at));
    equal('keys with a row', [...rows.keys()].sort().join(), [...expected.keys()].sort().join());
    for (const [each, row] of expected) this.compareRow(each, rows.get(each), row);
  }

  /** A fresh engine takes over from a snapshot; the naive one just lives on. */
  restart(): void {
    const saved = this.engine.snapshot(), boundary = this.engine.nextBoundary();
    this.engine = this.start(this.config);
    this.engine.restore(saved);
    // What was noted for a key that was evicted since is not noted again.
    if (this.config.limits === undefined) equal('the next boundary after a restart', this.engine.nextBoundary(), boundary);
    const again = this.engine.snapshot();
    equal('the length of the snapshot of what was restored from one', again.length, saved.length);
    equal('the first byte of that snapshot that differs', again.findIndex((byte, i) => byte !== saved[i]), -1);
    this.parts = [again];
    this.slow = undefined;
    this.compareState();
  }

  /** Another part is taken: a delta where there is something to go on from, else a base. */
  save(): void {
    const part = this.engine.snapshot({ delta: this.parts.length > 0 });
    this.parts = describeSnapshot(part).base ? [part] : [...this.parts, part];
  }

  /** A part is taken step by step, while events come; the one after the step that copied the last key is its finish. */
  stepPart(delta: boolean): void {
    if (this.slow === undefined) {
      this.slow = internalsOf(this.engine).startPart!({ delta: delta && this.parts.length > 0 });
      this.slowFrom = this.parts;
      this.slow.step();
    } else if (!this.slow.step()) this.finishPart(this.slow);
  }

  private finishPart(slow: PartInSteps): void {
    const part = slow.finish(), { base, parent } = describeSnapshot(part);
    // Another part may have been taken meanwhile: this one goes on from what was there when it began.
    const from = this.slowFrom.findIndex((other) => describeSnapshot(other).id === parent);
    this.parts = base ? [part] : [...this.slowFrom.slice(0, from + 1), part];
    this.slow = undefined;
  }

  /** A fresh engine takes over what was saved in parts, the last of which is taken now. */
  resume(): void {
    if (this.slow === undefined) this.save();
    else this.finishPart(this.slow);
    const boundary = this.engine.nextBoundary();
    this.engine = this.start(this.config);
    this.engine.restore(this.parts);
    if (this.config.limits === undefined) equal('the next boundary after a restart from parts', this.engine.nextBoundary(), boundary);
    this.compareState();
  }

  /** Nothing may change before the next boundary; what is due when it comes, comes then. */
  toNextBoundary(key?: Columns): void {
    this.advance();
    const boundary = this.engine.nextBoundary();
    if (boundary !== undefined && boundary <= this.now && this.config.emit !== 'none') throw new Error(`the next boundary, ${boundary}, is not after ${this.now}`);
    const ofKey = key === undefined ? undefined : this.engine.nextBoundary(key);
    if (ofKey !== undefined && !(ofKey >= (boundary ?? Infinity))) throw new Error(`a key's next boundary, ${ofKey}, is before that of all, ${String(boundary)}`);
    const eve = boundary === undefined ? this.now + 1e6 : justBefore(boundary);
    if (eve > this.now && this.config.emit !== 'every' && this.advance(eve) > 0) throw new Error(`a row at ${eve}, before the next boundary ${String(boundary)}`);
    if (boundary !== undefined) this.advance(boundary);
  }

  /** Lets everything expire, and looks whether something is left. */
  end(longest: number): void {
    this.advance(Math.max(this.now, this.naive.frontier) + longest);
    const { keys, events, held } = this.engine.stats;
    if (this.config.measures.every(({ frame }) => frame !== undefined && frame.edge.rows === undefined)) equal('what is left', `${keys} ${events} ${held}`, '0 0 0');
  }

  /** What a side that stays silent still shows: its last row, but only where last digits may differ. */
  private silent(side: 0 | 1, key: string): Columns | undefined {
    return this.loose.size > 0 ? this.shown[side].get(key) : undefined;
  }

  private byKey(rows: readonly Columns[]): Map<string, Columns> {
    const byKey = new Map(rows.map((row) => [this.keyOf(row), row]));
    equal('rows, one a key', rows.length, byKey.size);
    return byKey;
  }

  private keyOf(columns: Columns): string {
    return JSON.stringify(this.keyColumns.map((column) => identity(columns[column])));
  }

  private compareRow(key: string, row: Columns | undefined, expected: Columns | undefined): void {
    const isLate = row?.['__frontier'] !== expected?.['__frontier'];
    const differs = row === undefined || expected === undefined || String(Object.keys(row)) !== String(Object.keys(expected)) || Object.keys(expected).some((column) => !this.agree(column, row[column], expected[column], isLate));
    if (differs) throw new Error(`at ${this.now}, key ${key}: got ${shownRow(row)}, expected ${shownRow(expected)}`);
  }

  private agree(column: string, value: unknown, expected: unknown, isLate: boolean): boolean {
    if (column === '__frontier' && isLate && this.loose.size > 0) return true;
    const tolerance = this.loose.get(column);
    if (tolerance !== undefined && typeof value === 'number' && typeof expected === 'number' && Number.isFinite(expected)) {
      return Math.abs(value - expected) <= tolerance.relative * Math.abs(expected) + tolerance.absolute && !Object.is(value, -0);
    }
    return alike(value, expected);
  }

  private compareDropped(): void {
    const [mine, expected] = this.dropped.map((list) => list.splice(0));
    equal('dropped events', String(mine?.map(shownDrop)), String(expected?.map(shownDrop)));
    if (mine?.some(({ event }, i) => event !== expected?.[i]?.event)) throw new Error('another event was dropped');
  }

  private compareState(): void {
    const of = ({ frontier, watermark, position, stats }: AnyEngine): string => {
      const unseen = this.loose.size > 0 ? { bytes: 0, rows: 0 } : { bytes: 0 };
      return JSON.stringify({ frontier: String(frontier), watermark: String(watermark), position, ...stats, ...unseen });
    };
    equal('state', of(this.engine), of(this.naive));
  }
}

function equal(what: string, actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) throw new Error(`${what}: got ${String(actual)}, expected ${String(expected)}`);
}

/** Object.is; dates by instant, lists and plain objects by content. */
function alike(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a !== b && Object.is(a.getTime(), b.getTime());
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => alike(item, b[i]));
  if (isPlain(a) && isPlain(b)) return alike(Object.entries(a), Object.entries(b));
  return Object.is(a, b);
}

const isPlain = (value: unknown): value is Columns => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const shownRow = (row: Columns | undefined): string =>
  row === undefined ? 'no row' : Object.entries(row).map(([column, value]) => `${column}: ${typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : shownValue(value)}`).join(', ');

const shownValue = (value: unknown): string =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : typeof part === 'number' ? String(part) : part)) : String(value);

const shownDrop = ({ reason, eventTime, watermark, lateBy }: Dropped<Columns>): string => `${reason} ${eventTime} ${watermark} ${lateBy}`;

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The last instant before. */
function justBefore(instant: number): number {
  if (instant === 0) return -Number.MIN_VALUE;
  double[0] = instant;
  bits[0] = (bits[0] ?? 0n) + (instant > 0 ? -1n : 1n);
  return double[0];
}
