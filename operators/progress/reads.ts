import { Instants } from './instants.ts';
import { Latency } from './latency.ts';
import type { Notes } from './notes.ts';
import type { EventTimeProgress, RealTimeMetrics } from './queryProgress.ts';

/** What waits apart has four numbers: when it was read, its event time, since when it was queued, how many events it is. */
const width = 4;

/**
 * When events were read, and when what they changed left again.
 *
 * All that wait for an evaluation leave at one instant. So how long each of them takes follows from its own times, and of
 * these it is enough to know how many events have them: readings and event times are counted by the millisecond. Events
 * whose times are no whole milliseconds, or far from the others, or that are queued since another time, wait apart.
 */
export class Reads {
  private readonly readings = new Instants();
  private readonly times = new Instants();
  private apart: Float64Array = new Float64Array(64 * width);
  private end = 0;

  private origin = 0;
  private offsets = 0;
  private timed = 0;
  private earliest: number = Infinity;
  private latest: number = -Infinity;
  private readonly processing = new Latency();
  private readonly queuing = new Latency();
  private readonly e2e = new Latency();
  private leftAt = 0;
  private took = 0;

  /** Whether events are still to leave. */
  get isWaiting(): boolean {
    return this.end > 0 || !this.readings.isEmpty;
  }

  /** Events that were noted, those of one reading together. */
  addNoted(notes: Notes): void {
    const { readings, times, count } = notes;
    for (let start = 0; start < count; ) {
      const readAt = readings[start]!, time = times[start]!;
      let end = start + 1, alike = true;
      for (; end < count && readings[end] === readAt; end++) if (times[end] !== time) alike = false;
      if (alike) this.add(readAt, time, time, end - start);
      else this.addAll(readAt, times, start, end);
      start = end;
    }
    notes.clear();
  }

  /** The first so many events that were noted, each of which left so much later, before anything else was read. */
  addNotedAsLeft(notes: Notes, end: number, took: number): void {
    this.took = took;
    notes.drain(end, this.notedAsLeft);
  }

  /** Events were read, which have all their times in common. NaN for times that they don't have. */
  add(readAt: number, eventTime: number, queuedSince: number, count: number): void {
    if (eventTime === queuedSince && this.times.fits(eventTime) && this.readings.fits(readAt)) {
      this.readings.add(readAt, count);
      this.times.add(eventTime, count);
    } else this.addApart(readAt, eventTime, queuedSince, count);
    if (isInstant(queuedSince)) this.queuing.add(readAt - queuedSince, count);
  }

  /** Events were read, and what they changed left, before anything else was read. */
  addLeft(readAt: number, eventTime: number, leftAt: number, count: number): void {
    this.processing.add(leftAt - readAt, count);
    if (!isInstant(eventTime)) return;
    this.addTime(eventTime, count);
    this.queuing.add(readAt - eventTime, count);
    this.e2e.add(leftAt - eventTime, count);
  }

  /** The rows of all events so far leave. */
  leave(at: number): void {
    this.leftAt = at;
    if (!this.readings.isEmpty) {
      this.readings.drain(this.readingLeaves);
      this.times.drain(this.timeLeaves);
    }
    if (this.end > 0) this.apartLeave();
  }

  /** What came since the last time. */
  take(watermark: number): { eventTime: EventTimeProgress; rtmMetrics: RealTimeMetrics } {
    const { timed, earliest, latest, origin, offsets } = this;
    const isTimed = timed > 0;
    this.offsets = this.timed = 0;
    this.earliest = Infinity;
    this.latest = -Infinity;
    return {
      eventTime: {
        min: isTimed ? earliest : null,
        max: isTimed ? latest : null,
        avg: isTimed ? origin + offsets / timed : null,
        watermark: watermark === -Infinity ? null : watermark,
      },
      rtmMetrics: { processingLatencyMs: this.processing.take(), sourceQueuingLatencyMs: this.queuing.take(), e2eLatencyMs: this.e2e.take() },
    };
  }

  private readonly notedAsLeft = (readAt: number, time: number, count: number): void => this.addLeft(readAt, time, readAt + this.took, count);

  private readonly readingLeaves = (readAt: number, count: number): void => this.processing.add(this.leftAt - readAt, count);

  private readonly timeLeaves = (time: number, count: number): void => {
    this.addTime(time, count);
    this.e2e.add(this.leftAt - time, count);
  };

  private addAll(readAt: number, times: Float64Array, start: number, end: number): void {
    if (this.times.fitAll(times, start, end) && this.readings.fits(readAt)) {
      this.readings.add(readAt, end - start);
      this.times.addAll(times, start, end);
      this.queuing.addSince(readAt, times, start, end);
    } else for (let i = start; i < end; i++) this.add(readAt, times[i]!, times[i]!, 1);
  }

  private addApart(readAt: number, eventTime: number, queuedSince: number, count: number): void {
    if (this.end === this.apart.length) this.grow();
    const { apart, end } = this;
    apart[end] = readAt;
    apart[end + 1] = eventTime;
    apart[end + 2] = queuedSince;
    apart[end + 3] = count;
    this.end = end + width;
  }

  private apartLeave(): void {
    const { apart, end, leftAt } = this;
    for (let i = 0; i < end; i += width) {
      const since = apart[i + 2]!, count = apart[i + 3]!;
      this.addTime(apart[i + 1]!, count);
      this.processing.add(leftAt - apart[i]!, count);
      if (isInstant(since)) this.e2e.add(leftAt - since, count);
    }
    this.end = 0;
  }

  private addTime(time: number, count: number): void {
    if (!isInstant(time)) return;
    // Epoch milliseconds of many events add up to more than a double holds; their distances from one of them do not.
    if (this.timed === 0) this.origin = time;
    this.timed += count;
    this.offsets += (time - this.origin) * count;
    if (time < this.earliest) this.earliest = time;
    if (time > this.latest) this.latest = time;
  }

  private grow(): void {
    const grown = new Float64Array(this.apart.length * 2);
    grown.set(this.apart);
    this.apart = grown;
  }
}

const isInstant = (time: number): boolean => time - time === 0;
