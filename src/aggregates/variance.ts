import type { Aggregate, NumericAnswer } from './aggregate.ts';
import { ratio, units } from './exact.ts';
import { moments } from './moments.ts';

/** Exact moments: nothing is lost to cancellation, however far from zero the values lie and however they are grouped. */
export interface Moments {
  count: number;
  /** NaNs and infinities: while there is one, the answer is NaN. */
  notFinite: number;
  /** In units of the smallest double. */
  sum: bigint;
  /** In squares of that unit. */
  squares: bigint;
}

/** The four share one state; they differ in the divisor, and in the root. */
function variance(name: string, numeric: NumericAnswer, fewer: 0 | 1, root: boolean): Aggregate<number, Moments, number | null> {
  return {
    name,
    numeric,
    moments,
    zero: () => ({ count: 0, notFinite: 0, sum: 0n, squares: 0n }),
    reduce: (state, value) => add(state, value, 1),
    merge(into, from) {
      into.count += from.count;
      into.notFinite += from.notFinite;
      into.sum += from.sum;
      into.squares += from.squares;
      return into;
    },
    retract: (state, value) => add(state, value, -1),
    finish({ count, notFinite, sum, squares }) {
      if (count <= fewer) return null;
      if (notFinite > 0) return NaN;
      const n = BigInt(count);
      // With rounded sums this formula is the textbook's bad example; with exact ones it is the definition.
      const answer = ratio(n * squares - sum * sum, (n * BigInt(count - fewer)) << 2148n);
      return root ? Math.sqrt(answer) : answer;
    },
  };
}

function add(state: Moments, value: number, times: 1 | -1): Moments {
  state.count += times;
  if (Number.isFinite(value)) {
    const exact = units(value);
    state.sum += BigInt(times) * exact;
    state.squares += BigInt(times) * exact * exact;
  } else state.notFinite += times;
  return state;
}

export const varSamp: Aggregate<number, Moments, number | null> = /*#__PURE__*/ variance('var_samp', 'varSamp', 1, false);
export const varPop: Aggregate<number, Moments, number | null> = /*#__PURE__*/ variance('var_pop', 'varPop', 0, false);
export const stddevSamp: Aggregate<number, Moments, number | null> = /*#__PURE__*/ variance('stddev_samp', 'stddevSamp', 1, true);
export const stddevPop: Aggregate<number, Moments, number | null> = /*#__PURE__*/ variance('stddev_pop', 'stddevPop', 0, true);
