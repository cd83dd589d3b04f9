/**
 * How far event time is complete: events at or before it are late.
 *
 * It moves only in an evaluation, and only by events that arrived at earlier readings, so that all events of one reading
 * are judged alike. Until then the arrivals wait here. Only those that raise the maximum are kept, which in any batch
 * is at most one per reading; an in-order list of readings and maxima is all that a clock that jumps back needs.
 */
export class Watermark {
  value: number = -Infinity;
  private readings: number[] = [];
  private peaks: number[] = [];
  private readonly delay: number;

  constructor(delay: number) {
    this.delay = delay;
  }

  /** An event was admitted that reached event time `time` at clock reading `reading`. */
  observe(time: number, reading: number): void {
    const { readings, peaks } = this;
    let at = readings.length; // after every arrival that was not later
    while (at > 0 && readings[at - 1]! > reading) at--;
    if (at > 0 && peaks[at - 1]! >= time) return;
    if (at > 0 && readings[at - 1] === reading) at--;
    else if (at === readings.length) {
      readings.push(reading);
      peaks.push(time);
      return;
    } else {
      readings.splice(at, 0, reading);
      peaks.splice(at, 0, time);
    }
    peaks[at] = time;
    let dominated = at + 1;
    while (dominated < peaks.length && peaks[dominated]! <= time) dominated++;
    readings.splice(at + 1, dominated - at - 1);
    peaks.splice(at + 1, dominated - at - 1);
  }

  /** Lets the arrivals of readings before `now` move the watermark. */
  advance(now: number): void {
    const { readings, peaks } = this;
    let settled = 0;
    while (settled < readings.length && readings[settled]! < now) settled++;
    if (settled === 0) return;
    this.value = Math.max(this.value, peaks[settled - 1]! - this.delay);
    readings.splice(0, settled);
    peaks.splice(0, settled);
  }

  /** Whether an evaluation at a later reading could move it. */
  get pending(): boolean {
    return this.peaks.length > 0 && this.peaks.at(-1)! - this.delay > this.value;
  }

  snapshot(): { value: number; readings: number[]; peaks: number[] } {
    return { value: this.value, readings: [...this.readings], peaks: [...this.peaks] };
  }

  restore(state: { value: number; readings: number[]; peaks: number[] }): void {
    this.value = state.value;
    this.readings = state.readings;
    this.peaks = state.peaks;
  }
}
