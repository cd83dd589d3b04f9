import { RollingWindowError, shown } from '../../src/index.ts';
import { CellWriter } from './cellWriter.ts';
import type { Cells } from './cells.ts';

type Columns = Record<string, unknown>;

/** Events in a buffer: what comes in a frame at 100,000 a second. More of them cross before the frame. */
export const EVENTS = 2048;

/**
 * Gathers the columns of events. Nothing is allocated for an event of numbers and of texts that came before.
 *
 * All columns are read before the first is written: a getter that throws, or pushes an event, finds a whole state. The
 * first columns are written out, so that each place in the program sees one name: `event[name]` in a loop costs as much
 * as all the rest.
 */
export class EventWriter {
  private readonly writer: CellWriter;
  private readonly names: readonly string[];
  private readonly first: string;
  private readonly second: string;
  private readonly third: string;
  private readonly fourth: string;
  private readonly fifth: string;
  private readonly sixth: string;
  private readonly seventh: string;
  private readonly eighth: string;

  constructor(names: readonly string[]) {
    const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = '', seventh = '', eighth = ''] = names;
    this.names = names;
    this.first = first;
    this.second = second;
    this.third = third;
    this.fourth = fourth;
    this.fifth = fifth;
    this.sixth = sixth;
    this.seventh = seventh;
    this.eighth = eighth;
    this.writer = new CellWriter(names.length, 1);
  }

  get count(): number {
    return this.writer.count;
  }

  get isFull(): boolean {
    return this.writer.count === this.writer.room;
  }

  begin(spare?: ArrayBuffer): void {
    this.writer.begin(EVENTS, spare);
  }

  take(): Cells {
    return this.writer.take();
  }

  /** @throws RollingWindowError `invalid-value` for what can't cross, and whatever a getter throws; nothing is written then. */
  add(event: Columns, now: number): void {
    const { writer, names } = this, n = names.length;
    const first = crossing(event[this.first]);
    const second = n > 1 ? crossing(event[this.second]) : 0;
    const third = n > 2 ? crossing(event[this.third]) : 0;
    const fourth = n > 3 ? crossing(event[this.fourth]) : 0;
    const fifth = n > 4 ? crossing(event[this.fifth]) : 0;
    const sixth = n > 5 ? crossing(event[this.sixth]) : 0;
    const seventh = n > 6 ? crossing(event[this.seventh]) : 0;
    const eighth = n > 7 ? crossing(event[this.eighth]) : 0;
    const rest = n > 8 ? names.slice(8).map((name) => crossing(event[name])) : undefined;
    writer.writeLead(now);
    writer.write(0, first);
    if (n > 1) writer.write(1, second);
    if (n > 2) writer.write(2, third);
    if (n > 3) writer.write(3, fourth);
    if (n > 4) writer.write(4, fifth);
    if (n > 5) writer.write(5, sixth);
    if (n > 6) writer.write(6, seventh);
    if (n > 7) writer.write(7, eighth);
    rest?.forEach((value, i) => writer.write(8 + i, value));
    writer.count += 1;
  }
}

/** A value as it is now: whoever pushed an object may change it before it is sent. */
function crossing(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'string' || value == null || typeof value === 'boolean' ? value : copied(value);
}

function copied(value: unknown): unknown {
  if (typeof value === 'bigint') return value;
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
