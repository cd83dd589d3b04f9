import { EventTimes } from './eventTimes.ts';
import { Instants } from './instants.ts';
import { Latency, percentilesUpTo } from './latency.ts';
import { runEnd, type Notes } from './notes.ts';
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

  /** What is counted by the millisecond has left, all at one time of the scheduler, and nothing else since the last report. */
  private hasLeft = false;
  private leftAt = 0;

  /** Whether events are still to leave. */
  get isWaiting(): boolean {
    return this.end > 0 || (!this.readings.isEmpty && !this.hasLeft);
  }

  /**
   * Events that were noted wait. Nearly all have whole milliseconds, with a place of their own, for all their times: that is a
   * loop over numbers, and the rest is added one by one.
   */
  addNoted(notes: Notes): void {
    if (this.hasLeft) this.depart();
    const { times, readings, starts } = notes, count = notes.close(), { queuing } = this;
    let { cells, low, limit, high } = this.times, { cells: waits, wholes } = queuing, mask = cells.length - 1, atOnce = 0, placed = 0;
    for (let r = 0; r < count; r++) {
      const readAt = readings[r]!, end = starts[r + 1]!, fits = this.readings.fits(readAt), before = placed;
      for (let i = starts[r]!, next = i; i < end; i = next) {
        const time = times[i]!, wait = readAt - time;
        next = runEnd(times, i, end);
        if (fits && time >= low && time < limit && wait < wholes && Math.floor(time) === time) {
          if (time > high) high = time;
          cells[time & mask]! += next - i;
          if (wait > 0) waits[wait]! += next - i;
          else atOnce += next - i;
          placed += next - i;
        } else {
          this.times.high = high;
          this.add(readAt, time, time, next - i);
          ({ cells, low, limit, high } = this.times);
          ({ cells: waits, wholes } = queuing);
          mask = cells.length - 1;
        }
      }
      if (placed > before) this.readings.add(readAt, placed - before);
    }
    this.times.high = high;
    this.times.count += placed;
    queuing.added(placed - atOnce, atOnce);
  }

  /** Events that were noted left, each so much later, before anything else was read. */
  addNotedAsLeft(notes: Notes, took: number): void {
    if (this.hasLeft) this.depart();
    const { times, readings, starts } = notes, count = notes.close();
    for (let r = 0; r < count; r++) {
      const readAt = readings[r]!, leftAt = readAt + took, start = starts[r]!, end = starts[r + 1]!;
      if (start < end) this.processing.add(leftAt - readAt, end - start);
      for (let i = start, next = i; i < end; i = next) {
        next = runEnd(times, i, end);
        this.addTimes(readAt, times[i]!, leftAt, next - i);
      }
    }
  }

  /** Events were read, which have all their times in common. NaN for times that they don't have. */
  add(readAt: number, eventTime: number, queuedSince: number, count: number): void {
    if (this.hasLeft) this.depart();
    if (eventTime === queuedSince && this.times.fits(eventTime) && this.readings.fits(readAt)) {
      this.readings.add(readAt, count);
      this.times.add(eventTime, count);
    } else this.addApart(readAt, eventTime, queuedSince, count);
    if (isInstant(queuedSince)) this.queuing.add(readAt - queuedSince, count);
  }

  /** The rows of all events so far leave. Usually a report follows at once: until then, or until others come, it is only noted. */
  leave(at: number): void {
    if (this.hasLeft) this.depart();
    const { readings, times, processing, e2e } = this;
    if (readings.isEmpty) this.clear(); // places that were looked for and not taken would keep all later ones out
    else {
      this.eventTimes.addAll(times);
      this.leftAt = at;
      this.hasLeft = true;
      if (!processing.isEmpty || !e2e.isEmpty || this.end > 0) this.depart();
    }
    if (this.end > 0) this.apartLeave(at);
  }

  /** What came since the last time. */
  take(watermark: number): { eventTime: EventTimeProgress; rtmMetrics: RealTimeMetrics } {
    const { readings, times, leftAt } = this, eventTime = this.eventTimes.take(watermark), sourceQueuingLatencyMs = this.queuing.take();
    if (!this.hasLeft) return { eventTime, rtmMetrics: { processingLatencyMs: this.processing.take(), sourceQueuingLatencyMs, e2eLatencyMs: this.e2e.take() } };
    const rtmMetrics = { processingLatencyMs: percentilesUpTo(leftAt, readings), sourceQueuingLatencyMs, e2eLatencyMs: percentilesUpTo(leftAt, times) };
    this.clear();
    return { eventTime, rtmMetrics };
  }

  /** What has left counts with what left before, and makes room. */
  private depart(): void {
    const { readings, times, leftAt } = this;
    this.processing.addUpTo(leftAt, readings);
    this.e2e.addUpTo(leftAt, times);
    this.clear();
  }

  private clear(): void {
    this.readings.clear();
    this.times.clear();
    this.hasLeft = false;
  }

  private addTimes(readAt: number, eventTime: number, leftAt: number, count: number): void {
    if (!isInstant(eventTime)) return;
    this.eventTimes.add(eventTime, count);
    this.queuing.add(readAt - eventTime, count);
    this.e2e.add(leftAt - eventTime, count);
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
