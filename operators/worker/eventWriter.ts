import { RollingWindowError, shown } from '../../src/index.ts';
import { CellWriter } from './cellWriter.ts';
import type { Cells } from './cells.ts';

type Columns = Record<string, unknown>;

/** Events in a buffer: what comes in a frame at 100,000 a second. More of them cross before the frame. */
export const EVENTS = 2048;
/** Columns that are written out below. */
const WRITTEN_OUT = 8;

/**
 * Gathers the columns of events.
 *
 * Nearly every event has numbers where numbers were, and texts that came before: `addUsual` writes those, and allocates
 * nothing. Each value is written where it is read, or the compiler would make an object of every fraction. The columns
 * are written out, so that each place in the program sees one name: `event[name]` in a loop costs as much as all the rest.
 *
 * What is written counts only when the whole event is. A getter may throw, or push an event: then all is read anew, by
 * `addAnyway`, before the first value is written.
 */
export class EventWriter extends CellWriter {
  private readonly names: readonly string[];
  private readonly n0: string;
  private readonly n1: string;
  private readonly n2: string;
  private readonly n3: string;
  private readonly n4: string;
  private readonly n5: string;
  private readonly n6: string;
  private readonly n7: string;
  /** The reading of the last event of this buffer, and how many there were. */
  private now: number = NaN;
  private readings = 0;

  constructor(names: readonly string[]) {
    super(names.length);
    const [n0 = '', n1 = '', n2 = '', n3 = '', n4 = '', n5 = '', n6 = '', n7 = ''] = names;
    this.names = names;
    this.n0 = n0;
    this.n1 = n1;
    this.n2 = n2;
    this.n3 = n3;
    this.n4 = n4;
    this.n5 = n5;
    this.n6 = n6;
    this.n7 = n7;
  }

  beginEvents(spare: ArrayBuffer | undefined): void {
    this.begin(EVENTS * (this.width + 2), spare);
  }

  takeEvents(): Cells {
    const { readings } = this;
    this.readings = 0;
    this.now = NaN;
    return this.take(readings);
  }

  /** @throws RollingWindowError `invalid-value` for what can't cross, and whatever a getter throws; nothing is written then. */
  add(event: Columns, now: number): void {
    if (!this.addUsual(event, now)) this.addAnyway(event, now);
  }

  /** False, and nothing counts, where something else than numbers and known texts is to be looked at. */
  private addUsual(event: Columns, now: number): boolean {
    const { width: n, count, cells, textBits: bits } = this, at = count * n;
    if (!this.writeUsual(cells, count, at, event[this.n0], bits & 1)) return false;
    if (n > 1 && !this.writeUsual(cells, count, at + 1, event[this.n1], bits & 2)) return false;
    if (n > 2 && !this.writeUsual(cells, count, at + 2, event[this.n2], bits & 4)) return false;
    if (n > 3 && !this.writeUsual(cells, count, at + 3, event[this.n3], bits & 8)) return false;
    if (n > 4 && !this.writeUsual(cells, count, at + 4, event[this.n4], bits & 16)) return false;
    if (n > 5 && !this.writeUsual(cells, count, at + 5, event[this.n5], bits & 32)) return false;
    if (n > 6 && !this.writeUsual(cells, count, at + 6, event[this.n6], bits & 64)) return false;
    if (n > 7 && !this.writeUsual(cells, count, at + 7, event[this.n7], bits & 128)) return false;
    if (n > WRITTEN_OUT || this.cells !== cells) return false; // a getter has filled the buffer
    this.counted(now);
    return true;
  }

  private writeUsual(cells: Float64Array, count: number, at: number, value: unknown, isText: number): boolean {
    if (this.count !== count) return false; // the value's getter has pushed
    if (typeof value === 'number') {
      if (isText !== 0) return false;
      cells[at] = value;
      return true;
    }
    const place = typeof value === 'string' && isText !== 0 ? this.places.get(value) : undefined;
    if (place === undefined) return false;
    cells[at] = place;
    return true;
  }

  private addAnyway(event: Columns, now: number): void {
    const values = this.names.map((name) => crossing(event[name]));
    values.forEach((value, column) => this.write(column, value));
    this.counted(now);
  }

  private counted(now: number): void {
    if (now !== this.now) this.writeReading(now);
    this.count += 1;
  }

  private writeReading(now: number): void {
    const { cells, count, readings } = this, at = cells.length - 2 * readings;
    cells[at - 1] = count;
    cells[at - 2] = now;
    this.now = now;
    this.readings = readings + 1;
  }
}

/** A value as it is now: whoever pushed an object may change it before it is sent. */
function crossing(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol') || value === null) return value;
  if (value instanceof Date) return new Date(value.getTime());
  try {
    return structuredClone(value);
  } catch (cause) {
    throw new RollingWindowError('invalid-value', {
      expected: 'values that can be sent to a worker, as structured cloning copies them',
      given: shown(value),
      remedy: 'Send what the measures read of it as columns of texts and numbers',
      cause,
    });
  }
}
