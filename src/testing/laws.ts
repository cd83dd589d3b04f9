import type { Aggregate } from '../aggregates/aggregate.ts';
import { copied, sameValue } from '../emission/sameValue.ts';
import { RollingWindowError, shown } from '../errors.ts';
import { plainCopy } from './plainCopy.ts';

export interface LawOptions<Out> {
  /** When two answers are the same. Default: by content, NaN is NaN, -0 is 0; give your own where rounding may differ. */
  readonly equals?: ((a: Out, b: Out) => boolean) | undefined;
  /** The event times of the values, one for each, in epoch milliseconds and in order. Default: 0, 1, 2 and so on. */
  readonly times?: readonly number[] | undefined;
}

/** A value and the time of its event. */
interface Timed<In> {
  readonly value: In;
  readonly time: number;
}

/** Events, or lists of them in which they were cut. */
type Parts<In> = Timed<In> | readonly Parts<In>[];

/**
 * Checks that an aggregate keeps its laws for the values given: in whatever groups a window keeps them, it answers alike.
 *
 * Every way to cut the list into two and into three is tried, in O(n^3): give many lists of a dozen values.
 *
 * @throws RollingWindowError `invalid-measure` that names the broken law and the values.
 * @example fc.assert(fc.property(fc.array(fc.double(), { maxLength: 8 }), (values) => checkLaws(geometricMean, values, { equals: nearly })));
 */
export function checkLaws<In, State, Out>(
  aggregate: Aggregate<In, State, Out>,
  values: readonly In[],
  { equals = sameValue, times = values.map((_, i) => i) }: LawOptions<Out> = {},
): void {
  const before = copied(values);
  const { name } = aggregate;
  const events = values.map((value, i): Timed<In> => ({ value, time: times[i]! }));
  const fold = (some: readonly Timed<In>[], from = aggregate.zero()): State => some.reduce((state, { value, time }) => aggregate.reduce(state, value, time), from);
  const merge = (into: State, from: State): State => aggregate.merge(into, from);
  const answer = (some: readonly Timed<In>[]): Out => aggregate.finish(fold(some));
  const expect = (law: string, state: State, wanted: Out, parts: Parts<In>): void => {
    const given = aggregate.finish(state);
    if (!equals(given, wanted)) broken(name, law, wanted, given, valuesOf(parts));
  };

  const whole = answer(events);
  const cuts = Array.from({ length: events.length + 1 }, (_, cut) => [events.slice(0, cut), events.slice(cut)] as const);

  const state = fold(events);
  aggregate.finish(state);
  expect('purity: finish changes nothing', state, whole, events);

  expect('identity: merge(zero(), s) finishes like s', merge(aggregate.zero(), fold(events)), whole, events);
  expect('identity: merge(s, zero()) finishes like s', merge(fold(events), aggregate.zero()), whole, events);

  for (const parts of cuts) {
    expect('homomorphism: merge(fold(a), fold(b)) finishes like fold(a then b)', merge(fold(parts[0]), fold(parts[1])), whole, parts);
  }

  for (const parts of cuts) {
    const from = fold(parts[1]);
    const merged = merge(fold(parts[0]), from);
    expect('ownership: merge leaves its second argument as it was', from, answer(parts[1]), parts);
    fold(events, merged);
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

  for (const [i, { value, time }] of aggregate.retract ? events.entries() : []) {
    const without = aggregate.retract?.(fold(events), value, time) ?? fold(events);
    expect('undo: a value retracted is as if it had never been there', without, answer(events.toSpliced(i, 1)), events);
  }

  if (aggregate.expire) {
    const expired = (state: State, cutoff: number): State => aggregate.expire!(state, cutoff);
    const above = (cutoff: number): Timed<In>[] => events.filter(({ time }) => time > cutoff);
    const late = [...new Set(times)].reverse().flatMap((instant) => events.filter(({ time }) => time === instant));
    expect('expiry: late values count as if they had come in time', fold(late), whole, late);
    for (const [i, cutoff] of times.entries()) {
      expect('expiry: what is at or before the cutoff is as if it had never been there', expired(fold(events), cutoff), answer(above(cutoff)), events);
      expect('expiry: the same where it comes in steps', expired(expired(fold(events), times[i >> 1]!), cutoff), answer(above(cutoff)), events);
      expect('expiry: the same after a merge', expired(merge(fold(cuts[i]![0]), fold(cuts[i]![1])), cutoff), answer(above(cutoff)), events);
      expect('expiry: a state goes on after it', fold(above(cutoff), expired(fold(events.filter(({ time }) => time <= cutoff)), cutoff)), answer(above(cutoff)), events);
    }
  }

  const encoded = plainCopy(aggregate.encode ? aggregate.encode(fold(events)) : fold(events));
  const decoded = (): State => (aggregate.decode ? aggregate.decode(plainCopy(encoded)) : (plainCopy(encoded) as State));
  expect('rest: a state encoded and decoded finishes like it', decoded(), whole, events);
  expect('rest: a state encoded and decoded goes on like it', fold(events, decoded()), answer([...events, ...events]), events);
}

function broken(name: string, law: string, wanted: unknown, given: unknown, values: unknown): never {
  throw new RollingWindowError('invalid-measure', {
    expected: `${name} to keep the law of ${law}: ${text(wanted)}`,
    given: `${text(given)} for ${text(values)}`,
  });
}

function valuesOf<In>(parts: Parts<In>): unknown {
  return 'time' in parts ? parts.value : parts.map(valuesOf);
}

/** Like `shown`, inside of lists, too: JSON would drop the very values that laws break on. */
function text(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(text).join(', ')}]` : Object.is(value, -0) ? '-0' : shown(value);
}
