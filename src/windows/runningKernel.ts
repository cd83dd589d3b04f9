import { MeasureKernel } from './measureKernel.ts';
import type { RunningSummary } from './window.ts';

/** One measure of one state per key: values are taken in as they enter, and out as they leave. */
export class RunningKernel extends MeasureKernel implements RunningSummary {
  private readonly states: unknown[] = [];

  clear(slot: number): void {
    this.states[slot] = undefined;
  }

  enter(slot: number, from: number, to: number): void {
    this.states[slot] = this.fold(this.or(this.states[slot]), from, to);
  }

  leave(slot: number, from: number, to: number): void {
    for (let position = from; position < to; position++) {
      const value = this.valueAt(position);
      if (value !== undefined) this.states[slot] = this.aggregate.retract!(this.states[slot], value);
    }
  }

  read(slot: number): unknown {
    return this.finish(this.or(this.states[slot]));
  }

  /** A state of its own: that of the key where nothing leaves, else an empty one. For answers about another frontier. */
  copy(slot: number, lasting: boolean): unknown {
    const zero = this.aggregate.zero();
    return lasting ? this.aggregate.merge(zero, this.or(this.states[slot])) : zero;
  }

  snapshot(slot: number): unknown {
    return this.aggregate.encode!(this.or(this.states[slot]));
  }

  restore(slot: number, encoded: unknown): void {
    this.states[slot] = this.aggregate.decode!(encoded);
  }

  get bytes(): number {
    return this.states.length * 8;
  }
}
