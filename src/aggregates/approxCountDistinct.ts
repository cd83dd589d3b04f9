import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';
import { smallestError } from './hyperLogLog.ts';
import { LifetimeDistinct } from './lifetimeDistinct.ts';
import { indexed, SlidingDistinct } from './slidingDistinct.ts';

/**
 * How many distinct values there are: exact up to 64, beyond with a standard error of at most `rsd`. NaN is one value, -0
 * is 0, `1` and `'1'` are two. The state is bounded, whatever the number of values.
 *
 * @throws RollingWindowError `invalid-measure` where `rsd` is not between 0 and 1, or too small for a sketch.
 */
export function approxCountDistinct(rsd = 0.05): Aggregate<unknown, SlidingDistinct, number> {
  if (!(rsd >= smallestError && rsd < 1)) {
    throw new RollingWindowError('invalid-measure', {
      expected: `a relative standard deviation from ${smallestError.toPrecision(2)} to below 1`,
      given: shown(rsd),
      remedy: 'countDistinct is exact, and keeps every value',
    });
  }
  const name = 'approx_count_distinct';
  return {
    name,
    parameters: { rsd },
    zero: () => new SlidingDistinct(rsd),
    reduce(state, value, time) {
      state.add(indexed(value), time);
      return state;
    },
    merge(into, from) {
      into.merge(from);
      return into;
    },
    expire(state, cutoff) {
      state.expire(cutoff);
      return state;
    },
    finish: (state) => state.count,
    encode: (state) => state.encode(),
    decode: (encoded) => SlidingDistinct.decode(rsd, encoded),
    lifetime: lifetimeOf(name, rsd),
  };
}

function lifetimeOf(name: string, rsd: number): Aggregate<unknown, LifetimeDistinct, number> {
  return {
    name,
    parameters: { rsd },
    zero: () => new LifetimeDistinct(rsd),
    reduce(state, value) {
      state.add(indexed(value));
      return state;
    },
    merge(into, from) {
      into.merge(from);
      return into;
    },
    finish: (state) => state.count,
    encode: (state) => state.encode(),
    decode: (encoded) => LifetimeDistinct.decode(rsd, encoded),
  };
}
