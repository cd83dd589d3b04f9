import type { Aggregate } from '../aggregates/aggregate.ts';
import { copied, sameValue } from '../emission/sameValue.ts';
import { RollingWindowError, shown } from '../errors.ts';
import { plainCopy } from './plainCopy.ts';

export interface LawOptions<Out> {
  /** When two answers are the same. Default: by content, NaN is NaN, -0 is 0; give your own where rounding may differ. */
  readonly equals?: ((a: Out, b: Out) => boolean) | undefined;
}

/**
 * Checks that an aggregate keeps its laws for the values given: in whatever groups a window keeps them, it answers alike.
 *
 * Every way to cut the list into two and into three is tried, in O(n^3): give many lists of a dozen values.
 *
 * @throws RollingWindowError `invalid-measure` that names the broken law and the values.
 * @example fc.assert(fc.property(fc.array(fc.double(), { maxLength: 8 }), (values) => checkLaws(geometricMean, values, { equals: nearly })));
 */
export function checkLaws<In, State, Out>(aggregate: Aggregate<In, State, Out>, values: readonly In[], { equals = sameValue }: LawOptions<Out> = {}): void {
  const before = copied(values);
  const { name } = aggregate;
  const fold = (some: readonly In[], from = aggregate.zero()): State => some.reduce((state, value) => aggregate.reduce(state, value), from);
  const merge = (into: State, from: State): State => aggregate.merge(into, from);
  const answer = (some: readonly In[]): Out => aggregate.finish(fold(some));
  const expect = (law: string, state: State, wanted: Out, parts: unknown): void => {
    const given = aggregate.finish(state);
    if (!equals(given, wanted)) broken(name, law, wanted, given, parts);
  };

  const whole = answer(values);
  const cuts = Array.from({ length: values.length + 1 }, (_, cut) => [values.slice(0, cut), values.slice(cut)] as const);

  const state = fold(values);
  aggregate.finish(state);
  expect('purity: finish changes nothing', state, whole, values);

  expect('identity: merge(zero(), s) finishes like s', merge(aggregate.zero(), fold(values)), whole, values);
  expect('identity: merge(s, zero()) finishes like s', merge(fold(values), aggregate.zero()), whole, values);

  for (const parts of cuts) {
    expect('homomorphism: merge(fold(a), fold(b)) finishes like fold(a then b)', merge(fold(parts[0]), fold(parts[1])), whole, parts);
  }

  for (const parts of cuts) {
    const from = fold(parts[1]);
    const merged = merge(fold(parts[0]), from);
    expect('ownership: merge leaves its second argument as it was', from, answer(parts[1]), parts);
    fold(values, merged);
    expect('ownership: merge takes over nothing that changes with the result', from, answer(parts[1]), parts);
  }
  if (!sameValue(values, before)) broken(name, 'ownership: values stay as they were', before, values, before);

  for (const [a, rest] of cuts) {
    for (let cut = 0; cut <= rest.length; cut++) {
      const [b, c] = [rest.slice(0, cut), rest.slice(cut)];
      const right = merge(fold(a), merge(fold(b), fold(c)));
      expect('associativity: merge(a, merge(b, c)) finishes like merge(merge(a, b), c)', right, whole, [a, b, c]);
    }
  }

  for (const [i, value] of aggregate.retract ? values.entries() : []) {
    const without = aggregate.retract?.(fold(values), value) ?? fold(values);
    expect('undo: a value retracted is as if it had never been there', without, answer(values.toSpliced(i, 1)), values);
  }

  const encoded = plainCopy(aggregate.encode ? aggregate.encode(fold(values)) : fold(values));
  const decoded = (): State => (aggregate.decode ? aggregate.decode(plainCopy(encoded)) : (plainCopy(encoded) as State));
  expect('rest: a state encoded and decoded finishes like it', decoded(), whole, values);
  expect('rest: a state encoded and decoded goes on like it', fold(values, decoded()), answer([...values, ...values]), values);
}

function broken(name: string, law: string, wanted: unknown, given: unknown, values: unknown): never {
  throw new RollingWindowError('invalid-measure', {
    expected: `${name} to keep the law of ${law}: ${text(wanted)}`,
    given: `${text(given)} for ${text(values)}`,
  });
}

/** Like `shown`, inside of lists, too: JSON would drop the very values that laws break on. */
function text(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(text).join(', ')}]` : Object.is(value, -0) ? '-0' : shown(value);
}
