import { RollingWindowError, shown } from '../src/index.ts';

/**
 * Checks an argument by the methods that will be called on it.
 *
 * @throws RollingWindowError `invalid-config`
 */
export function mustHave(name: string, value: unknown, ...methods: readonly string[]): void {
  if (methods.every((method) => typeof (value as Record<string, unknown> | null | undefined)?.[method] === 'function')) return;
  throw new RollingWindowError('invalid-config', { expected: `\`${name}\` with ${methods.map((method) => `${method}()`).join(' and ')}`, given: shown(value) });
}
