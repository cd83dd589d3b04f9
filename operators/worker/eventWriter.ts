import { RollingWindowError, shown } from '../../src/index.ts';
import { CellWriter } from './cellWriter.ts';
import type { Cells } from './cells.ts';

type Columns = Record<string, unknown>;

/** Events in a buffer: what comes in two frames at 100,000 a second. More of them cross before the frame. */
export const EVENTS = 4096;
/** Columns that are written out below. */
const WRITTEN_OUT = 8;

/**
 * Gathers the columns of events.
 *
 * Nearly every event has numbers where numbers were, and texts that came before: `addUsual` writes those, and allocates
 * nothing. All columns are read before the first is written: a getter that throws, or pushes an event, finds a whole
 * state. The columns are written out, so that each place in the program sees one name: `event[name]` in a loop costs as
 * much as all the rest.
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
  /** The reading of the last event, and how many there were. */
  private now = NaN;
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
    return this.take(readings);
  }

  /** @throws RollingWindowError `invalid-value` for what can't cross, and whatever a getter throws; nothing is written then. */
  add(event: Columns, now: number): void {
    if (!this.addUsual(event, now)) this.addAnyway(event, now);
  }

  /** False, and nothing was written, where something else than numbers and known texts is to be looked at. */
  private addUsual(event: Columns, now: number): boolean {
    const n = this.width;
    const v0 = event[this.n0];
    const v1 = n > 1 ? event[this.n1] : 0;
    const v2 = n > 2 ? event[this.n2] : 0;
    const v3 = n > 3 ? event[this.n3] : 0;
    const v4 = n > 4 ? event[this.n4] : 0;
    const v5 = n > 5 ? event[this.n5] : 0;
    const v6 = n > 6 ? event[this.n6] : 0;
    const v7 = n > 7 ? event[this.n7] : 0;
    if (n > WRITTEN_OUT) return false;
    const { count, textBits: bits } = this, at = count * n; // not before: a getter may have pushed
    const isWritten =
      this.writeUsual(at, v0, bits & 1) &&
      (n < 2 || this.writeUsual(at + 1, v1, bits & 2)) &&
      (n < 3 || this.writeUsual(at + 2, v2, bits & 4)) &&
      (n < 4 || this.writeUsual(at + 3, v3, bits & 8)) &&
      (n < 5 || this.writeUsual(at + 4, v4, bits & 16)) &&
      (n < 6 || this.writeUsual(at + 5, v5, bits & 32)) &&
      (n < 7 || this.writeUsual(at + 6, v6, bits & 64)) &&
      (n < 8 || this.writeUsual(at + 7, v7, bits & 128));
    if (isWritten) this.counted(now);
    return isWritten;
  }

  private writeUsual(at: number, value: unknown, isText: number): boolean {
    if (typeof value === 'number') {
      if (isText !== 0) return false;
      this.cells[at] = value;
      return true;
    }
    const place = typeof value === 'string' && isText !== 0 ? this.places.get(value) : undefined;
    if (place === undefined) return false;
    this.cells[at] = place;
    return true;
  }

  private addAnyway(event: Columns, now: number): void {
    const values = this.names.map((name) => crossing(event[name]));
    values.forEach((value, column) => this.write(column, value));
    this.counted(now);
  }

  private counted(now: number): void {
    if (now !== this.now || this.readings === 0) this.writeReading(now);
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
