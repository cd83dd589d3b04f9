import { EventTimes } from './eventTimes.ts';
import { Instants } from './instants.ts';
import { Latency } from './latency.ts';
import { width as runWidth, type Notes } from './notes.ts';
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

  private readonly eventTimes = new EventTimes();
  private readonly processing = new Latency();
  private readonly queuing = new Latency();
  private readonly e2e = new Latency();
  private took = 0;

  /** Whether events are still to leave. */
  get isWaiting(): boolean {
    return this.end > 0 || !this.readings.isEmpty;
  }

  /** Events that were noted. */
  addNoted(notes: Notes): void {
    const { runs } = notes, end = notes.close();
    if (this.fitAll(runs, end)) {
      this.readings.addRuns(runs, end, 0);
      this.times.addRuns(runs, end, 1);
      this.queuing.addRuns(runs, end);
    } else for (let i = 0; i < end; i += runWidth) this.add(runs[i]!, runs[i + 1]!, runs[i + 1]!, runs[i + 5]! - runs[i + 2]!);
    notes.clear();
  }

  /** The first so many events that were noted, each of which left so much later, before anything else was read. */
  addNotedAsLeft(notes: Notes, count: number, took: number): void {
    this.took = took;
    notes.drain(count, this.notedAsLeft);
  }

  /** Events that were noted leave, which is all that waits. Where many wait, it costs less to count them first. */
  addNotedAsLeaving(notes: Notes, at: number): void {
    const { runs } = notes, end = notes.close();
    for (let i = 0; i < end; ) {
      const readAt = runs[i]!, first = runs[i + 2]!;
      for (; i < end && runs[i] === readAt; i += runWidth) this.addTimes(readAt, runs[i + 1]!, at, runs[i + 5]! - runs[i + 2]!);
      this.processing.add(at - readAt, runs[i + 2]! - first);
    }
    notes.clear();
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
    this.addTimes(readAt, eventTime, leftAt, count);
  }

  /** The rows of all events so far leave. */
  leave(at: number): void {
    const { readings, times } = this;
    if (!readings.isEmpty) {
      this.processing.addUpTo(at, readings);
      this.eventTimes.addAll(times);
      this.e2e.addUpTo(at, times);
      readings.clear();
      times.clear();
    }
    if (this.end > 0) this.apartLeave(at);
  }

  /** What came since the last time. */
  take(watermark: number): { eventTime: EventTimeProgress; rtmMetrics: RealTimeMetrics } {
    return {
      eventTime: this.eventTimes.take(watermark),
      rtmMetrics: { processingLatencyMs: this.processing.take(), sourceQueuingLatencyMs: this.queuing.take(), e2eLatencyMs: this.e2e.take() },
    };
  }

  private readonly notedAsLeft = (readAt: number, time: number, count: number): void => this.addLeft(readAt, time, readAt + this.took, count);

  private addTimes(readAt: number, eventTime: number, leftAt: number, count: number): void {
    if (!isInstant(eventTime)) return;
    this.eventTimes.add(eventTime, count);
    this.queuing.add(readAt - eventTime, count);
    this.e2e.add(leftAt - eventTime, count);
  }

  /** Whether all times of the runs are whole milliseconds that have their places. */
  private fitAll(runs: Float64Array, end: number): boolean {
    let first = Infinity, last = -Infinity, earliest = Infinity, latest = -Infinity, longest = 0;
    for (let i = 0; i < end; i += runWidth) {
      const readAt = runs[i]!, time = runs[i + 1]!;
      if (Math.floor(readAt) !== readAt || Math.floor(time) !== time) return false;
      if (readAt < first) first = readAt;
      if (readAt > last) last = readAt;
      if (time < earliest) earliest = time;
      if (time > latest) latest = time;
      if (readAt - time > longest) longest = readAt - time;
    }
    const { readings, times, queuing } = this;
    return times.fitAll(earliest, latest) && readings.fitAll(first, last) && queuing.fits(longest);
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

  private apartLeave(at: number): void {
    const { apart, end } = this;
    for (let i = 0; i < end; i += width) {
      const time = apart[i + 1]!, since = apart[i + 2]!, count = apart[i + 3]!;
      if (isInstant(time)) this.eventTimes.add(time, count);
      this.processing.add(at - apart[i]!, count);
      if (isInstant(since)) this.e2e.add(at - since, count);
    }
    this.end = 0;
  }

  private grow(): void {
    const grown = new Float64Array(this.apart.length * 2);
    grown.set(this.apart);
    this.apart = grown;
  }
}

const isInstant = (time: number): boolean => time - time === 0;
