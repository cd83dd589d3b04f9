import { RollingWindowError } from '../src/index.ts';

/** What drives an engine of a caller: a subscription, or the page at the other end of a port. */
const users = /*#__PURE__*/ new WeakMap<object, object>();

/**
 * Takes an engine for one user, until that gives it back.
 *
 * @throws RollingWindowError `engine-in-use`
 */
export function takeForUse(engine: object, user: object): void {
  if (users.has(engine)) throw engineInUse();
  users.set(engine, user);
}

/** Whoever drives the engine by now keeps it: the next subscription may begin in the `complete` of the one before. */
export function giveBack(engine: object, user: object): void {
  if (users.get(engine) === user) users.delete(engine);
}

function engineInUse(): RollingWindowError {
  return new RollingWindowError('engine-in-use', {
    expected: 'an engine that no other subscription drives',
    given: 'one that is in use',
    remedy: 'Share the rows with share(), close the proxy of another page, or make an engine for each.',
  });
}
