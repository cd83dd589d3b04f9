import type { AnyAggregate } from '../aggregates/aggregate.ts';

/** Reads an event's value by its position: `undefined` where it is missing. */
export type ValueAt = (position: number) => unknown;

/** What kernels of a single measure share: its aggregate, its values, its lookback. */
export abstract class MeasureKernel {
  readonly lookback: number;
  protected readonly aggregate: AnyAggregate;
  protected readonly valueAt: ValueAt;

  constructor(aggregate: AnyAggregate, valueAt: ValueAt, lookback: number) {
    this.aggregate = aggregate;
    this.valueAt = valueAt;
    this.lookback = lookback;
  }

  /** A state that was never written holds nothing: keys and blocks may have been there before the kernel. */
  protected or(state: unknown): unknown {
    return state === undefined ? this.aggregate.zero() : state;
  }

  /** The state, then the events at positions [from, to). */
  fold(state: unknown, from: number, to: number): unknown {
    for (let position = from; position < to; position++) {
      const value = this.valueAt(position);
      if (value !== undefined) state = this.aggregate.reduce(state, value);
    }
    return state;
  }
}
