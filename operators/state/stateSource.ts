import { internalsOf } from '../../src/internals.ts';
import { RollingWindowError, type Engine } from '../../src/index.ts';
import type { StateCore } from '../../src/state/index.ts';
import { apart, checkedOptions, withDefaults, type EngineSource } from '../engineSource.ts';
import type { OperatorOptions } from '../options.ts';

/**
 * Takes the argument of an operator apart, and checks it.
 *
 * @param given The caller's core, or a configuration with the options in it.
 * @throws RollingWindowError for whatever is wrong with it, before anything is subscribed.
 */
export function stateSource<E, Out>(given: unknown, options: unknown, make: (config: never) => StateCore<E, Out, unknown>): EngineSource<E, Out, unknown> {
  if (isCore<E, Out>(given)) return checked(true, () => given, options as OperatorOptions | undefined);
  const parts = apart<object>(given);
  return checked(false, () => make(parts.config as never), parts.options);
}

function isCore<E, Out>(given: unknown): given is StateCore<E, Out, unknown> {
  return typeof given === 'object' && given !== null && 'advance' in given;
}

function checked<E, Out>(owned: boolean, open: () => StateCore<E, Out, unknown>, options: OperatorOptions | undefined): EngineSource<E, Out, unknown> {
  if (options?.checkpoint !== undefined) throw noCheckpoint();
  const driven = checkedOptions(withDefaults(options)), { orderBy } = internalsOf(open()); // made now, it shows what is wrong now
  if (orderBy === '' && 'column' in driven.clock && driven.clock.column === undefined) throw clockWithoutColumn();
  // A drive pushes, advances and asks for the next boundary: of the rest of an engine it needs nothing.
  return { owned, open: open as unknown as () => Engine<E, Out, unknown>, options: driven };
}

function noCheckpoint(): RollingWindowError {
  return new RollingWindowError('invalid-config', {
    expected: 'no checkpoint, which is for rolling windows',
    given: 'one',
    remedy: 'Keep the core and save what its snapshot() gives; restore() takes it over',
  });
}

function clockWithoutColumn(): RollingWindowError {
  return new RollingWindowError('invalid-config', {
    expected: 'a column for eventTime() to read',
    given: 'none',
    remedy: 'Name it in orderBy, or in eventTime({ column })',
  });
}
