import type { KeyContext } from './keyContext.ts';
import type { KeyedStatePlan } from './keyedStateConfig.ts';
import { userCode } from './userCode.ts';

/** The state of a key that has none. */
export function initialState({ init }: KeyedStatePlan, key: object): unknown {
  try {
    return init(key);
  } catch (cause) {
    throw userCode('init', cause);
  }
}

/**
 * What a callback gives, all of it: values are taken out of a generator here, while it may still change its key, and none is
 * handed on before the last one is there.
 */
export function valuesOf(plan: KeyedStatePlan, name: 'onEvent' | 'onTimer', state: unknown, what: unknown, context: KeyContext): readonly unknown[] {
  try {
    const given = plan[name]!(state, what, context) as Iterable<unknown> | null | undefined;
    return given == null ? [] : [...given];
  } catch (cause) {
    throw userCode(name, cause);
  } finally {
    context.end();
  }
}
