import { describe, expect, test } from 'vitest';
import { RollingWindowError } from '../../src/errors.ts';
import { emptyAnswer, guarded } from '../../src/windows/guarded.ts';

const steps = ['zero', 'reduce', 'merge', 'finish', 'retract', 'expire', 'encode', 'decode'] as const;
const run = (step: (typeof steps)[number]): unknown => {
  const failing = Object.fromEntries(steps.map((name) => [name, (): never => { throw new Error(`no ${name}`); }]));
  return (guarded({ name: 'mine', ...failing } as never) as unknown as Record<string, () => unknown>)[step]!();
};

describe('guarded', () => {
  test.each(steps)('an error in %s names the aggregate and the step, and has the cause', (step) => {
    expect(() => run(step)).toThrow(expect.objectContaining({ code: 'user-code', message: expect.stringContaining(`${step} of the aggregate 'mine'`) as string, cause: new Error(`no ${step}`) }));
  });

  test('whatever is thrown is shown; an error of the library is passed on', () => {
    const own = new RollingWindowError('invalid-value', { expected: 'a', given: 'b' });
    for (const [thrown, message] of [['text', '"text"'], [undefined, 'undefined'], [{ a: 1 }, '{"a":1}']] as const) {
      const aggregate = guarded({ name: 'mine', zero: () => { throw thrown as unknown as Error; } } as never);
      expect(() => aggregate.zero()).toThrow(expect.objectContaining({ given: `the error ${message}` }));
    }
    expect(() => guarded({ name: 'mine', zero: () => { throw own; } } as never).zero()).toThrow(own);
  });

  test('methods keep their this; what is optional stays so; at rest a state is itself by default', () => {
    class Sum {
      readonly name = 'sum of mine';
      readonly #start = 100;
      zero = (): number => this.#start;
      reduce(state: number, value: number): number {
        return this.merge(state, value);
      }
      merge(a: number, b: number): number {
        return a + b - this.#start + this.#start;
      }
      finish(state: number): number {
        return state - this.#start;
      }
    }
    const aggregate = guarded(new Sum());
    expect(aggregate.finish(aggregate.reduce(aggregate.zero(), 5, 0))).toBe(5);
    expect([aggregate.retract, aggregate.expire, aggregate.encode?.(7), aggregate.decode?.(7)]).toEqual([undefined, undefined, 7, 7]);
    expect(emptyAnswer(new Sum() as never)).toBe(0);
  });
});
