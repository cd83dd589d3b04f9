import { epochMilliseconds } from '../../src/index.ts';
import type { Reported } from '../progress.ts';

/** The columns with the times of an event: its own, and since when it was queued, which may be the same. */
export class TimeColumns {
  /** A number in the event's time is that time. */
  readonly arePlain: boolean;
  readonly areOne: boolean;
  private readonly queuedSince: string;
  private readonly time: Reported['internals']['time'];

  constructor({ orderBy, time }: Reported['internals'], queuedSince: string = orderBy) {
    this.arePlain = time === epochMilliseconds;
    this.areOne = queuedSince === orderBy;
    this.queuedSince = queuedSince;
    this.time = time;
  }

  /** What the event's time column holds, in epoch milliseconds; NaN where that is no time. */
  eventTime(value: unknown): number {
    return this.arePlain && typeof value === 'number' ? value : this.time.read(value);
  }

  queuedAt(event: unknown, eventTime: number): number {
    return this.areOne ? eventTime : this.eventTime((event as Record<string, unknown> | null | undefined)?.[this.queuedSince]);
  }
}
