import type { Aggregate, NumericAnswer } from './aggregate.ts';
import { ratio, units } from './exact.ts';

/** What `sum` and `avg` know of a window: an exact total, and what no total can hold. */
export interface Total {
  count: number;
  /** Of bigints; or of numbers, in units of the smallest double. */
  exact: bigint;
  isBigint: boolean;
  /** How many infinities there are. A NaN counts as one of each sign, which gives NaN, too. */
  plus: number;
  minus: number;
}

/** `sum` and `avg` share one state; they differ only in the answer. */
export function total<Out>(name: NumericAnswer, finish: (state: Total) => Out): Aggregate<number | bigint, Total, Out | null> {
  return {
    name,
    numeric: name,
    zero: () => ({ count: 0, exact: 0n, isBigint: false, plus: 0, minus: 0 }),
    reduce: (state, value) => add(state, value, 1),
    merge(into, from) {
      into.count += from.count;
      into.exact += from.exact;
      into.isBigint ||= from.isBigint;
      into.plus += from.plus;
      into.minus += from.minus;
      return into;
    },
    retract: (state, value) => add(state, value, -1),
    finish: (state) => (state.count > 0 ? finish(state) : null),
  };
}

function add(state: Total, value: number | bigint, times: 1 | -1): Total {
  state.count += times;
  if (typeof value === 'bigint') {
    state.isBigint = true;
    state.exact += BigInt(times) * value;
  } else if (Number.isFinite(value)) state.exact += BigInt(times) * units(value);
  else {
    if (!(value < 0)) state.plus += times;
    if (!(value > 0)) state.minus += times;
  }
  return state;
}

/** The total divided by `parts`, as a number rounded once. */
export function quotient({ exact, isBigint, plus, minus }: Total, parts: number): number {
  if (plus > 0) return minus > 0 ? NaN : Infinity;
  if (minus > 0) return -Infinity;
  return ratio(exact, BigInt(parts) << (isBigint ? 0n : 1074n));
}
