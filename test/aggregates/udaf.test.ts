import { describe, expect, test } from 'vitest';
import { udaf } from '../../src/aggregates/index.ts';

const product = { name: 'product', zero: () => 1, reduce: (state: number, value: number) => state * value, merge: (a: number, b: number) => a * b, finish: (state: number) => state };

describe('udaf', () => {
  test('takes what has the shape of an aggregate, as it is', () => {
    class Product {
      readonly name = 'product';
      readonly #one = 1;
      zero(): number {
        return this.#one;
      }
      reduce(state: number, value: number): number {
        return this.merge(state, value);
      }
      merge(a: number, b: number): number {
        return a * b;
      }
      finish(state: number): number {
        return state;
      }
    }
    const aggregate = udaf(new Product());
    expect(aggregate.finish(aggregate.reduce(aggregate.reduce(aggregate.zero(), 6, 0), 7, 1))).toBe(42);
    expect(udaf(product)).toBe(product);
    expect(udaf({ ...product, name: 'first' }).name).toBe('first'); // a name that many had before there was such a measure
    expect(udaf({ ...product, retract: (state, value) => state / value, encode: (state) => state, decode: Number }).retract).toBeTypeOf('function');
  });

  test.each([
    ['no name', { name: undefined }, 'a name that no built-in aggregate has'],
    ['an empty name', { name: '' }, 'a name'],
    ['the name of a built-in', { name: 'stddev_pop' }, 'no built-in'],
    ['the name of another built-in', { name: 'count' }, 'no built-in'],
    ['no merge', { merge: undefined }, '`merge` of product'],
    ['a zero that is no function', { zero: 1 }, '`zero` of product; got 1'],
    ['a retract that is no function', { retract: true }, '`retract` of product'],
    ['encode alone', { encode: Number }, 'both `encode` and `decode`'],
    ['decode alone', { decode: Number }, 'both `encode` and `decode`'],
    ['an expire that is no function', { expire: 1 }, '`expire` of product'],
    ['the claim of a built-in', { numeric: 'sum' }, 'without `numeric`'],
    ['moments of a built-in', { moments: {} }, 'without `moments`'],
    ['another claim of a built-in', { builtIn: true }, 'without `builtIn`'],
    ['the bounds of its window', { extremes: true }, 'without `extremes`'],
    ['a state for lifetimes', { lifetime: product }, 'without `lifetime`'],
    ['pairs with nulls', { nullable: true }, 'without `nullable`'],
  ])('refuses %s', (_, change, message) => {
    expect(() => udaf({ ...product, ...change } as typeof product)).toThrow(expect.objectContaining({ code: 'invalid-measure', message: expect.stringContaining(message) as string }));
  });
});
