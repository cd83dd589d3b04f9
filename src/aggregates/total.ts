import type { Aggregate, NumericAnswer } from './aggregate.ts';
import { ratio, units } from './exact.ts';

/** What `sum` and `avg` know of a window: an exact total, and how many values no total can hold. */
export interface Total {
  count: number;
  /** Of bigints; or of numbers, in units of the smallest double. */
  exact: bigint;
  isBigint: boolean;
  nan: number;
  plusInfinity: number;
  minusInfinity: number;
}

/** `sum` and `avg` share one state; they differ only in the answer. */
export function total<Out>(name: NumericAnswer, finish: (state: Total) => Out): Aggregate<number | bigint, Total, Out | null> {
  return {
    name,
    numeric: name,
    zero: () => ({ count: 0, exact: 0n, isBigint: false, nan: 0, plusInfinity: 0, minusInfinity: 0 }),
    reduce: (state, value) => add(state, value, 1),
    merge(into, from) {
      into.count += from.count;
      into.exact += from.exact;
      into.isBigint ||= from.isBigint;
      into.nan += from.nan;
      into.plusInfinity += from.plusInfinity;
      into.minusInfinity += from.minusInfinity;
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
  else if (value > 0) state.plusInfinity += times;
  else if (value < 0) state.minusInfinity += times;
  else state.nan += times;
  return state;
}

/** The total divided by `parts`, as a number rounded once. */
export function quotient({ exact, isBigint, nan, plusInfinity, minusInfinity }: Total, parts: number): number {
  if (nan > 0 || (plusInfinity > 0 && minusInfinity > 0)) return NaN;
  if (plusInfinity > 0) return Infinity;
  if (minusInfinity > 0) return -Infinity;
  return ratio(exact, BigInt(parts) << (isBigint ? 0n : 1074n));
}
