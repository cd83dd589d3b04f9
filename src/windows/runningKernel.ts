import type { AnyAggregate } from '../aggregates/aggregate.ts';
import type { ValueAt } from './mergedKernel.ts';
import type { RunningSummary } from './window.ts';

/** One measure of one state per key: values are taken in as they enter, and out as they leave. */
export class RunningKernel implements RunningSummary {
  readonly lookback: number;
  private readonly states: unknown[] = [];
  private readonly aggregate: AnyAggregate;
  private readonly valueAt: ValueAt;

  constructor(aggregate: AnyAggregate, valueAt: ValueAt, lookback: number) {
    this.aggregate = aggregate;
    this.valueAt = valueAt;
    this.lookback = lookback;
  }

  clear(slot: number): void {
    this.states[slot] = undefined;
  }

  enter(slot: number, from: number, to: number): void {
    this.states[slot] = this.fold(this.stateOf(slot), from, to);
  }

  /** A state that was never written holds nothing: the key may have been there before the kernel. */
  private stateOf(slot: number): unknown {
    const state = this.states[slot];
    return state === undefined ? this.aggregate.zero() : state;
  }

  leave(slot: number, from: number, to: number): void {
    for (let position = from; position < to; position++) {
      const value = this.valueAt(position);
      if (value !== undefined) this.states[slot] = this.aggregate.retract!(this.states[slot], value);
    }
  }

  read(slot: number): unknown {
    return this.aggregate.finish(this.stateOf(slot));
  }

  /** A state of its own: that of the key where nothing leaves, else an empty one. For answers about another frontier. */
  copy(slot: number, lasting: boolean): unknown {
    const zero = this.aggregate.zero();
    return lasting ? this.aggregate.merge(zero, this.stateOf(slot)) : zero;
  }

  fold(state: unknown, from: number, to: number): unknown {
    for (let position = from; position < to; position++) {
      const value = this.valueAt(position);
      if (value !== undefined) state = this.aggregate.reduce(state, value);
    }
    return state;
  }

  finish(state: unknown): unknown {
    return this.aggregate.finish(state);
  }

  snapshot(slot: number): unknown {
    return this.aggregate.encode!(this.stateOf(slot));
  }

  restore(slot: number, encoded: unknown): void {
    this.states[slot] = this.aggregate.decode!(encoded);
  }

  get bytes(): number {
    return this.states.length * 8;
  }
}
