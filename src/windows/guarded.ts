import { RollingWindowError, userCodeError } from '../errors.ts';
import type { AnyAggregate } from '../aggregates/aggregate.ts';

/** How many functions of aggregates are being run: above 0 what an engine holds is between two states. */
export interface Inside {
  depth: number;
}

/**
 * The aggregate, with its name in whatever its code throws. `calls`: what may run it for a key, null where no state of a key is
 * kept. `inside`: counts along.
 */
export function guarded(aggregate: AnyAggregate, calls: string | null = 'push or advance', inside: Inside = { depth: 0 }): AnyAggregate {
  const { name } = aggregate;
  const named = <Args extends unknown[], Out>(step: string, run: (...args: Args) => Out) => (...args: Args): Out => {
    inside.depth++;
    try {
      return run(...args);
    } catch (cause) {
      if (cause instanceof RollingWindowError) throw cause;
      throw userCodeError(`${step} of the aggregate '${name}'`, cause, calls);
    } finally {
      inside.depth--;
    }
  };
  return {
    name,
    zero: named('zero', () => aggregate.zero()),
    reduce: named('reduce', (state, value, time) => aggregate.reduce(state, value, time)),
    merge: named('merge', (into, from) => aggregate.merge(into, from)),
    finish: named('finish', (...args: Parameters<AnyAggregate['finish']>) => aggregate.finish(...args)),
    encode: named('encode', (state) => (aggregate.encode ? aggregate.encode(state) : state)),
    decode: named('decode', (encoded) => (aggregate.decode ? aggregate.decode(encoded) : encoded)),
    ...(aggregate.retract && { retract: named('retract', (state, value, time) => aggregate.retract!(state, value, time)) }),
    ...(aggregate.expire && { expire: named('expire', (state, cutoff) => aggregate.expire!(state, cutoff)) }),
  };
}

/** What stands in the row of a window without events. */
export function emptyAnswer(aggregate: AnyAggregate): unknown {
  const named = guarded(aggregate);
  return named.finish(named.zero());
}
