import { describe, expect, test } from 'vitest';
import { max, preceding, range, sum, udaf } from '../../src/index.ts';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import { startEngine } from '../support/engines.ts';

const engineOf = (...measures: AnyMeasure[]): ReturnType<typeof startEngine> => startEngine({ partitionBy: 'k', orderBy: 't', measures });
const over = preceding(range(100));
/** The value that came last, as an answer makes it. */
const lastAs = (name: string, finish: (value: unknown) => unknown): AnyMeasure =>
  udaf({ name, zero: (): unknown => null, reduce: (_, value: unknown) => value, merge: (a: unknown, b: unknown) => b ?? a, finish })('v').over(over).as('last');

describe('Emission', () => {
  test.each([
    ['null and 0', sum('v').over(over).as('last'), [[0, null, -0], 1]],
    ['numbers', max('v').over(over).as('last'), [[1, 1, 2, 2, 2], 2]],
    ['NaN', lastAs('number', (value) => value), [[NaN, NaN, 1, NaN], 3]],
    ['dates', lastAs('date', (value) => new Date(value as number)), [[1, 1, 2], 2]],
    ['lists', lastAs('list', (value) => [value, [value]]), [[1, 1, 2], 2]],
    ['undefined, where the empty answer is null', lastAs('nothing', (value) => (value === null ? null : undefined)), [[1, 2, 3], 1]],
    ['null, where the empty answer is a list', lastAs('none', (value) => (value === null ? [] : null)), [[1, 2, 3], 1]],
  ] as const)('a row leaves with each change: %s', (_, measure, [values, rows]) => {
    const engine = engineOf(measure);
    let count = 0;
    values.forEach((v, t) => {
      engine.push({ k: 'a', t, v }, t);
      count += engine.advance(t).length;
      const restored = engineOf(measure);
      restored.restore(engine.snapshot());
      expect(restored.advance(t)).toEqual([]);
    });
    expect(count).toBe(rows);
  });

  test('what a subscriber does to a row reaches neither the state nor the next row', () => {
    const state = { list: [1], at: new Date(1) };
    const engine = engineOf(lastAs('shared', (value) => (value === null ? null : state)));
    engine.push({ k: 'a', t: 1, v: 1 }, 1);
    const [row] = engine.advance(1) as { last: typeof state }[];
    row?.last.list.push(2);
    row?.last.at.setTime(9);
    expect(engine.query({ k: 'a' })).toMatchObject({ last: { list: [1], at: new Date(1) } });
    engine.push({ k: 'a', t: 2, v: 1 }, 2);
    expect(engine.advance(2)).toEqual([]);
  });

  test('a state that goes on changing in place is still seen to change', () => {
    const values = udaf({ name: 'values', zero: (): number[] => [], reduce: (list, value: number) => (list.push(value), list), merge: (a, b) => (a.push(...b), a), retract: (list) => (list.shift(), list), finish: (list) => list })('v').over(over).as('values');
    const engine = engineOf(values);
    for (const t of [1, 2, 3]) {
      engine.push({ k: 'a', t, v: t }, t);
      expect(engine.advance(t)).toHaveLength(1);
    }
    expect(engine.advance(101)).toEqual([{ k: 'a', __frontier: 101, values: [2, 3] }]);
  });

  test('the slot of a dropped key remembers nothing of it', () => {
    const engine = engineOf(sum('v').over(over), lastAs('again', (value) => value));
    for (const [k, t] of [['a', 0], ['b', 200], ['a', 400]] as const) {
      engine.push({ k, t, v: 5 }, t);
      expect(engine.advance(t)).toEqual([{ k, __frontier: t, 'sum(v)': 5, last: 5 }]);
      expect(engine.advance(t + 100)).toHaveLength(1);
      expect(engine.stats.keys).toBe(0);
    }
  });

  test('a column that turns to texts after the key came still compares with the empty row', () => {
    const engine = engineOf(max('v').over(over));
    engine.push({ k: 'a', t: 1, v: null }, 1);
    engine.advance(1);
    engine.push({ k: 'b', t: 2, v: 'x' }, 2); // the turn
    expect(engine.advance(2)).toMatchObject([{ k: 'b', 'max(v)': 'x' }]);
    engine.push({ k: 'a', t: 3, v: null }, 3);
    expect(engine.advance(3)).toEqual([]);
    engine.push({ k: 'a', t: 4, v: 'y' }, 4);
    expect(engine.advance(4)).toMatchObject([{ k: 'a', 'max(v)': 'y' }]);
    const restored = engineOf(max('v').over(over));
    restored.restore(engine.snapshot());
    expect(restored.advance(4)).toEqual([]);
    expect(restored.advance(104)).toHaveLength(2);
  });
});
