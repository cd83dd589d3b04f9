import type { AnyAggregate } from '../aggregates/aggregate.ts';

/** Reads an event's value by its position: `undefined` where it is missing. */
export type ValueAt = (position: number) => unknown;

/** Where a measure reads the events. */
export interface Readings {
  readonly valueAt: ValueAt;
  timeAt(position: number): number;
}

/** The smallest and the largest value of a window whose answer was put together last. */
export interface Extremes {
  smallest(lookback: number): number;
  largest(lookback: number): number;
}

/** What kernels of a single measure share: its aggregate, its values, its lookback, and who knows the extremes if it asks. */
export abstract class MeasureKernel {
  readonly lookback: number;
  protected readonly aggregate: AnyAggregate;
  protected readonly events: Readings;
  /** Who tells it the smallest and the largest value, where it asks. */
  readonly extremes: Extremes | undefined;

  constructor(aggregate: AnyAggregate, events: Readings, lookback: number, extremes?: Extremes) {
    this.aggregate = aggregate;
    this.events = events;
    this.lookback = lookback;
    this.extremes = extremes;
  }

  /** The answer of a state of this window. */
  finish(state: unknown): unknown {
    const { aggregate, extremes, lookback } = this;
    return extremes === undefined ? aggregate.finish(state) : aggregate.finish(state, extremes.smallest(lookback), extremes.largest(lookback));
  }

  /** A state that was never written holds nothing: keys and blocks may have been there before the kernel. */
  protected or(state: unknown): unknown {
    return state === undefined ? this.aggregate.zero() : state;
  }

  /** The state, then the events at positions [from, to). */
  fold(state: unknown, from: number, to: number): unknown {
    const { aggregate, events } = this;
    for (let position = from; position < to; position++) {
      const value = events.valueAt(position);
      if (value !== undefined) state = aggregate.reduce(state, value, events.timeAt(position));
    }
    return state;
  }
}
