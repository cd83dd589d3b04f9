import { RollingWindowError, shown } from '../../src/index.ts';
import { asLiteral } from '../../src/internals.ts';
import { CellWriter } from './cellWriter.ts';
import { EVALUATES, HEAD, NOW, READINGS, type Cells } from './cells.ts';

type Columns = Record<string, unknown>;

/** Events in a buffer: what comes in a frame at 100,000 a second, also where the frame is late. More of them cross before it. */
export const EVENTS = 4096;
/** Columns that are written out below. */
const WRITTEN_OUT = 8;

/**
 * Gathers the columns of events.
 *
 * Nearly every event has numbers where numbers were, and texts that came before: `writeUsual` writes those, and allocates
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
    this.names = names.map(asLiteral);
    const [n0 = '', n1 = '', n2 = '', n3 = '', n4 = '', n5 = '', n6 = '', n7 = ''] = this.names;
    this.n0 = n0;
    this.n1 = n1;
    this.n2 = n2;
    this.n3 = n3;
    this.n4 = n4;
    this.n5 = n5;
    this.n6 = n6;
    this.n7 = n7;
  }

  beginEvents(spare: Float64Array<ArrayBuffer> | undefined): void {
    this.begin(EVENTS * (this.width + 2), spare);
  }

  /** The events; `now`: and an evaluation at that reading. */
  takeEvents(now?: number): Cells {
    const { cells } = this;
    cells[READINGS] = this.readings;
    cells[EVALUATES] = now === undefined ? 0 : 1;
    cells[NOW] = now ?? NaN;
    this.readings = 0;
    this.now = NaN;
    return this.take();
  }

  /** @throws RollingWindowError `invalid-value` for what can't cross, and whatever a getter throws; nothing is written then. */
  add(event: unknown, now: number): void {
    // An empty object in the place of nothing would hide from the compiler that all events are of one kind.
    if (event !== undefined && event !== null && this.writeUsual(event as Columns)) this.counted(now);
    else this.addAnyway((event ?? {}) as Columns, now);
  }

  /** `add` for each; `filled` is called whenever the buffer is full. */
  addAll(events: Iterable<unknown>, now: number, filled: () => void): void {
    for (const event of events) {
      this.add(event, now);
      if (this.count === EVENTS) filled();
    }
  }

  /** False, and nothing counts, where something else than numbers and known texts is to be looked at. */
  private writeUsual(event: Columns): boolean {
    const { width: n, count, cells, textBits: bits } = this, at = HEAD + count * n;
    if (!this.writeValue(cells, count, at, event[this.n0], bits & 1)) return false;
    if (n > 1 && !this.writeValue(cells, count, at + 1, event[this.n1], bits & 2)) return false;
    if (n > 2 && !this.writeValue(cells, count, at + 2, event[this.n2], bits & 4)) return false;
    if (n > 3 && !this.writeValue(cells, count, at + 3, event[this.n3], bits & 8)) return false;
    if (n > 4 && !this.writeValue(cells, count, at + 4, event[this.n4], bits & 16)) return false;
    if (n > 5 && !this.writeValue(cells, count, at + 5, event[this.n5], bits & 32)) return false;
    if (n > 6 && !this.writeValue(cells, count, at + 6, event[this.n6], bits & 64)) return false;
    if (n > 7 && !this.writeValue(cells, count, at + 7, event[this.n7], bits & 128)) return false;
    return n <= WRITTEN_OUT && this.cells === cells; // else a getter has filled the buffer
  }

  private writeValue(cells: Float64Array, count: number, at: number, value: unknown, isText: number): boolean {
    if (this.count !== count) return false; // the value's getter has pushed
    if (isText !== 0) {
      const place = this.places.get(value as string); // whatever is no text is not there
      if (place === undefined) return false;
      cells[at] = place;
    } else {
      if (typeof value !== 'number') return false;
      cells[at] = value;
    }
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
