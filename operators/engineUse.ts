import type { Subscriber } from 'rxjs';
import { RollingWindowError } from '../src/index.ts';

/** By whom an engine of a caller is driven. */
const users = /*#__PURE__*/ new WeakMap<object, Subscriber<never>>();

/**
 * Takes an engine for one subscription, until that is closed.
 *
 * @throws RollingWindowError `engine-in-use`
 */
export function takeForUse(engine: object, subscriber: Subscriber<never>): void {
  if (users.has(engine)) throw engineInUse();
  users.set(engine, subscriber);
  subscriber.add(() => giveBack(engine, subscriber));
}

/** Whoever drives the engine by now keeps it: the next subscription may begin in the `complete` of the one before. */
export function giveBack(engine: object, subscriber: Subscriber<never>): void {
  if (users.get(engine) === subscriber) users.delete(engine);
}

function engineInUse(): RollingWindowError {
  return new RollingWindowError('engine-in-use', {
    expected: 'an engine that no other subscription drives',
    given: 'one that is in use',
    remedy: 'Share the rows with share(), or make an engine for each subscription.',
  });
}
