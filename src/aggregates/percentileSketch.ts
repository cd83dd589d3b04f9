/**
 * A summary of numbers that knows roughly which of them is at a rank: what `approxPercentile` keeps in `{ sketch }`.
 *
 * Only finite numbers come, -0 as 0: infinities and NaN are counted outside. As with an aggregate, `add`, `remove` and
 * `merge` may change and return their first argument, never their second; `at` and `encode` change nothing.
 */
export interface PercentileSketch<State = unknown> {
  /** Says what the state is, options included: a snapshot fits only where it is the same. */
  readonly name: string;
  /** The state of no numbers: a fresh one each time. */
  zero(): State;
  add(state: State, value: number): State;
  /** Takes a number out again, as if it had never been there. Without it the sketch is for lifetimes, not for windows. */
  remove?(state: State, value: number): State;
  merge(into: State, from: State): State;
  /** Roughly the number at a rank from 1 to `count`, which is how many there are: never less for a higher rank. */
  at(state: State, rank: number, count: number): number;
  /** The state as plain values (numbers, strings, booleans, null, arrays, plain objects). */
  encode(state: State): unknown;
  decode(encoded: unknown): State;
}
