import { RollingWindowError, userCodeError } from '../errors.ts';
import type { AnyAggregate } from '../aggregates/aggregate.ts';

/** The aggregate, with its name in whatever its code throws. `calls`: what may run it for a key, null where no state of a key is kept. */
export function guarded(aggregate: AnyAggregate, calls: string | null = 'push or advance'): AnyAggregate {
  const { name } = aggregate;
  const named = <Args extends unknown[], Out>(step: string, run: (...args: Args) => Out) => (...args: Args): Out => {
    try {
      return run(...args);
    } catch (cause) {
      if (cause instanceof RollingWindowError) throw cause;
      throw userCodeError(`${step} of the aggregate '${name}'`, cause, calls);
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
