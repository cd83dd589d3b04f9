import { Latency } from './latency.ts';
import type { EventTimeProgress, RealTimeMetrics } from './queryProgress.ts';

/** So many runs are kept before they are added up: a few pages, whatever the trigger. */
const many = 1024;

/** A run has five numbers: when it was read, its event time, since when it was queued, when its rows left, how many events it is. */
const width = 5;

/**
 * When events were read, and when what they changed left again.
 *
 * A sketch costs as much per value as a quarter of an event. But clocks show whole milliseconds, and a busy source has many
 * events in each: events that have all their times in common with the one before are counted with it, as a run, and
 * a run is one value.
 */
export class Reads {
  private runs: Float64Array = new Float64Array(64 * width);
  /** Behind the last run. */
  private end = 0;
  /** The first run that no evaluation has seen. */
  private open = 0;

  private origin = 0;
  private offsets = 0;
  private timed = 0;
  private earliest: number = Infinity;
  private latest: number = -Infinity;
  private readonly processing = new Latency();
  private readonly queuing = new Latency();
  private readonly e2e = new Latency();

  /** An event was read. NaN for times that it does not have. */
  add(readAt: number, eventTime: number, queuedSince: number): void {
    if (this.end === this.runs.length) this.grow();
    const { runs, end } = this;
    runs[end] = readAt;
    runs[end + 1] = eventTime;
    runs[end + 2] = queuedSince;
    runs[end + 4] = 1;
    this.end = end + width;
  }

  /** So many more were read that have all times in common with the last one. */
  repeat(count: number): void {
    if (count > 0) this.runs[this.end - 1]! += count;
  }

  /** The rows of all events so far leave. */
  leave(at: number): void {
    const { runs, open, end } = this;
    if (open === end) return;
    for (let run = open; run < end; run += width) runs[run + 3] = at;
    if (end - open === width && open > 0 && this.isLikeTheOneBefore(open)) {
      runs[open - 1]! += runs[open + 4]!;
      this.end = open;
    }
    this.open = this.end;
    if (this.end >= many * width) this.addUp();
  }

  /** What came since the last time. */
  take(watermark: number): { eventTime: EventTimeProgress; rtmMetrics: RealTimeMetrics } {
    this.addUp();
    const { timed, earliest, latest, origin, offsets } = this;
    const times = timed === 0 ? { min: null, max: null, avg: null } : { min: earliest, max: latest, avg: origin + offsets / timed };
    this.offsets = this.timed = 0;
    this.earliest = Infinity;
    this.latest = -Infinity;
    return {
      eventTime: { ...times, watermark: watermark === -Infinity ? null : watermark },
      rtmMetrics: { processingLatencyMs: this.processing.take(), sourceQueuingLatencyMs: this.queuing.take(), e2eLatencyMs: this.e2e.take() },
    };
  }

  private isLikeTheOneBefore(run: number): boolean {
    const { runs } = this;
    return runs[run] === runs[run - 5] && runs[run + 1] === runs[run - 4] && runs[run + 2] === runs[run - 3] && runs[run + 3] === runs[run - 2];
  }

  /** All runs that left. What was read and not evaluated yet stays. */
  private addUp(): void {
    const { runs, open, end } = this;
    for (let run = 0; run < open; run += width) {
      const readAt = runs[run]!, since = runs[run + 2]!, left = runs[run + 3]!, count = runs[run + 4]!;
      this.addTime(runs[run + 1]!, count);
      this.processing.add(left - readAt, count);
      if (!isInstant(since)) continue;
      this.queuing.add(readAt - since, count);
      this.e2e.add(left - since, count);
    }
    runs.copyWithin(0, open, end);
    this.end = end - open;
    this.open = 0;
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
    const grown = new Float64Array(this.runs.length * 2);
    grown.set(this.runs);
    this.runs = grown;
  }
}

const isInstant = (time: number): boolean => time - time === 0;
