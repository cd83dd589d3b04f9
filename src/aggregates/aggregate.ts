/**
 * What is computed from the values in a window: the contract between aggregates and windows.
 *
 * An aggregate knows nothing of how a window is kept; a window knows of an aggregate only what stands here. Laws, which
 * `checkLaws` of the testing entry verifies for values that you choose:
 *
 *   1. identity       merge(zero(), s) and merge(s, zero()) finish like s
 *   2. homomorphism   folding a then b finishes like merge(fold(a), fold(b))
 *   3. associativity  merge(merge(a, b), c) finishes like merge(a, merge(b, c))
 *   4. ownership      reduce, merge, retract and expire may change and return their first argument, never their second
 *   5. purity         finish changes nothing, and twice gives the same
 *   6. undo           where `retract` exists: retracting a value that was reduced finishes as if it had never been there
 *   7. rest           a state that was encoded and decoded finishes and goes on like the original
 *   8. expiry         where `expire` exists: what is at or before the cutoff is as if it had never been there, and with
 *                     such an aggregate late values may come after later ones
 *
 * In a bounded window without `retract` and `expire`, values come in order of (event time, arrival). With one of them,
 * and in a lifetime window, they come as the frontier reaches them: a late event's after those of later events. Those of
 * one instant come in order of arrival always. Missing and null values never come.
 *
 * An aggregate of two columns takes pairs, `[x, y]`, and never one with a null inside, unless it is `nullable`.
 */
export interface Aggregate<In, State, Out> {
  /** Written into snapshots. Never reuse a name for another shape of state. */
  readonly name: string;
  /** What it was made with: under other arguments a state, or the answer, means something else. Written into snapshots. */
  readonly parameters?: Readonly<Record<string, number | string | readonly number[]>>;
  /** The state of an empty window: a fresh one each time. */
  zero(): State;
  /** Takes in one value, of an event at `time` (epoch milliseconds). May change and return `state`. */
  reduce(state: State, value: In, time: number): State;
  /** Takes in all that `from` holds, whose values follow those of `into`. `from` stays as it is. */
  merge(into: State, from: State): State;
  /** The value shown in the row. The two bounds come only where `extremes` asks for them. */
  finish(state: State, smallest?: number, largest?: number): Out;
  /**
   * Takes a value out again. Only where the undo is exact: with it a window keeps one running state and subtracts what
   * leaves; without it nothing is ever subtracted, states of blocks are merged instead.
   */
  retract?(state: State, value: In, time: number): State;
  /**
   * Takes out all values of `cutoff` and before. For a state that knows the times of what it keeps: with it a window keeps
   * one running state that slides, and neither merges nor needs the values that leave. Cutoffs never go back.
   */
  expire?(state: State, cutoff: number): State;
  /** The state as plain values (numbers, strings, booleans, bigint, null, dates, arrays, plain objects). Default: as it is. */
  encode?(state: State): unknown;
  decode?(encoded: unknown): State;
  /** For the built-in aggregates of numbers: `finish` wants to know the smallest and the largest value, NaN being above all. */
  readonly extremes?: true;
  /** Told apart from a user's of the same name, in snapshots. Where `udaf` refuses the name, there is nothing to tell. */
  readonly builtIn?: true;
  /** Of an aggregate of pairs: the first value may be null. */
  readonly nullable?: true;
  /** For the built-in aggregates that compute with the times of values, not only with their order. */
  readonly readsTimes?: true;
  /** What is kept instead in a window that nothing ever leaves, where that is less. */
  readonly lifetime?: Aggregate<In, unknown, Out>;
  /** For the built-in aggregates of numbers: which answer of the fused numeric state this is. */
  readonly numeric?: NumericAnswer;
  /** What that state does with moments, for an answer that needs them. */
  readonly moments?: MomentArithmetic;
}

/** Any aggregate, for code that only passes states around. */
export type AnyAggregate = Aggregate<unknown, unknown, unknown>;

/**
 * The answers that one fused state of a number column can give. All measures of a column share that state: five
 * aggregates kept apart cost five calls per event where one pass over a few doubles does.
 */
export type NumericAnswer = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'varSamp' | 'varPop' | 'stddevSamp' | 'stddevPop';

/** Mean and squared deviations as some doubles of a flat array. Not in the fused state itself: most bundles can do without. */
export interface MomentArithmetic {
  /** How many doubles. */
  readonly width: number;
  /** state = moments of n values, then those that stand in `values` from `first` to before `end`, each `stride` after the one before. */
  fold(state: Float64Array, at: number, n: number, values: Float64Array, first: number, end: number, stride: number): void;
  /** state = moments of n1 values, then those of n2 others. */
  merge(state: Float64Array, at: number, n1: number, from: Float64Array, fromAt: number, n2: number): void;
  /** The variance with the given divisor. */
  variance(state: Float64Array, at: number, divisor: number): number;
}

export type { ValueKind } from '../admission/column.ts';
