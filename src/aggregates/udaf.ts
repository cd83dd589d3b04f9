import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';

/** What you write to aggregate in your own way: the contract, without the claim that only built-in aggregates make. */
export interface UserAggregate<In, State, Out> extends Aggregate<In, State, Out> {
  readonly numeric?: never;
  readonly moments?: never;
  readonly extremes?: never;
  readonly builtIn?: never;
  readonly nullable?: never;
  readonly readsTimes?: never;
  readonly lifetime?: never;
}

/** Snapshots know an aggregate by its name: a built-in's state must never be read as another's. */
const builtIn = /^(count|sum|avg|min|max|(stddev|var)_(samp|pop)|approx_(count_distinct|percentile)|ddsketch)$/;

const required = ['zero', 'reduce', 'merge', 'finish'];
const optional = ['retract', 'expire', 'encode', 'decode'];

/**
 * Your aggregate, checked for its shape.
 *
 * @throws RollingWindowError `invalid-measure` where the name is missing or a built-in's, where one of `zero`, `reduce`,
 * `merge` and `finish` is missing, and where there is one of `encode` and `decode` only.
 */
export function udaf<In, State, Out>(aggregate: UserAggregate<In, State, Out>): Aggregate<In, State, Out> {
  // Read as what it may be when no compiler looked: methods of a class stay where they are, with their `this`.
  const given = aggregate as unknown as Readonly<Record<string, unknown>>;
  const name = given['name'];
  if (typeof name !== 'string' || name === '' || builtIn.test(name)) refuse('a name that no built-in aggregate has', name);
  for (const part of [...required, ...optional]) {
    if (given[part] === undefined && optional.includes(part)) continue;
    if (typeof given[part] !== 'function') refuse(`a function as \`${part}\` of ${name}`, given[part]);
  }
  if ((given['encode'] === undefined) !== (given['decode'] === undefined)) refuse(`both \`encode\` and \`decode\` of ${name}, or neither`, 'one of them');
  for (const part of ['numeric', 'moments', 'extremes', 'builtIn', 'nullable', 'readsTimes', 'lifetime']) {
    if (given[part] !== undefined) refuse(`${name} without \`${part}\`, which is for built-in aggregates`, given[part]);
  }
  return aggregate;
}

function refuse(expected: string, given: unknown): never {
  throw new RollingWindowError('invalid-measure', { expected, given: shown(given) });
}
