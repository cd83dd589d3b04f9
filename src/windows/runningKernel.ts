import { MeasureKernel } from './measureKernel.ts';
import type { RunningSummary } from './window.ts';

/**
 * One measure of one state per key: values are taken in as they enter, and out as they leave, one by one or, where the
 * state knows their times, by the time of the last of them.
 */
export class RunningKernel extends MeasureKernel implements RunningSummary {
  private readonly states: unknown[] = [];

  clear(slot: number): void {
    this.states[slot] = undefined;
  }

  enter(slot: number, from: number, to: number): void {
    this.states[slot] = this.fold(this.or(this.states[slot]), from, to);
  }

  leave(slot: number, from: number, to: number): void {
    const { aggregate, events, states } = this;
    // Others of that instant may follow in the next run; they leave in the same evaluation.
    if (aggregate.expire) states[slot] = aggregate.expire(this.or(states[slot]), events.timeAt(to - 1));
    else {
      for (let position = from; position < to; position++) {
        const value = events.valueAt(position);
        if (value !== undefined) states[slot] = aggregate.retract!(states[slot], value, events.timeAt(position));
      }
    }
  }

  read(slot: number): unknown {
    return this.finish(this.or(this.states[slot]));
  }

  /** Whether what leaves can be taken out by its time. */
  get expires(): boolean {
    return this.aggregate.expire !== undefined;
  }

  /** What is left of a state above a cutoff. */
  expire(state: unknown, cutoff: number): unknown {
    return this.aggregate.expire!(state, cutoff);
  }

  /** A state of its own that holds what the key's holds. For answers about another frontier. */
  copy(slot: number): unknown {
    return this.aggregate.merge(this.zero(), this.or(this.states[slot]));
  }

  zero(): unknown {
    return this.aggregate.zero();
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
