import { Watermark } from '../time/watermark.ts';

/** The watermarks of a stream: one, or one per source where sources are late by different amounts. */
export class Watermarks {
  private readonly bySource = new Map<unknown, Watermark>();
  private readonly delay: number;

  constructor(delay: number) {
    this.delay = delay;
  }

  /** What the events of a source are judged by; minus infinity for a source not seen before. */
  valueOf(source: unknown): number {
    return this.bySource.get(source)?.value ?? -Infinity;
  }

  observe(source: unknown, time: number, reading: number): void {
    let watermark = this.bySource.get(source);
    if (watermark === undefined) this.bySource.set(source, (watermark = new Watermark(this.delay)));
    watermark.observe(time, reading);
  }

  advance(now: number): void {
    for (const watermark of this.bySource.values()) watermark.advance(now);
  }

  /** The smallest one. */
  get value(): number {
    let value = Infinity;
    for (const watermark of this.bySource.values()) value = Math.min(value, watermark.value);
    return value === Infinity ? -Infinity : value;
  }

  /** Whether an evaluation at a later reading could move one. */
  get pending(): boolean {
    for (const watermark of this.bySource.values()) if (watermark.pending) return true;
    return false;
  }

  snapshot(): [unknown, ReturnType<Watermark['snapshot']>][] {
    return Array.from(this.bySource, ([source, watermark]) => [source, watermark.snapshot()]);
  }

  restore(state: ReturnType<Watermarks['snapshot']>): void {
    for (const [source, saved] of state) {
      const watermark = new Watermark(this.delay);
      watermark.restore(saved);
      this.bySource.set(source, watermark);
    }
  }
}
