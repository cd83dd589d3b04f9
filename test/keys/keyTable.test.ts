import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyTable, NO_SLOT } from '../../src/keys/keyTable.ts';
import type { KeyPart } from '../../src/keys/partitionKey.ts';

const odd: readonly KeyPart[] = ['', 'a', '\0', '\0d5', '\0sa', '__proto__', 'constructor', '\uD800', '\uDBFF', 'null', '1', 'true', 'NaN', 0, 1, -1, NaN, Infinity, 1n, 5n, true, false, null, new Date(5), new Date(1)];
/** Type and value in words: equal for equal keys only. */
const named = (key: readonly KeyPart[]): string => JSON.stringify(key.map((part) => (part instanceof Date ? `date ${part.getTime()}` : `${typeof part} ${String(part)}`)));
const column = fc.constantFrom(...odd).map((part) => (part instanceof Date ? new Date(part) : part));

describe('KeyTable', () => {
  test.each([1, 2, 3])('equals a map from whole keys to slots, with %i columns', (width) => {
    const key = fc.array(column, { minLength: width, maxLength: width, size: 'max' });
    const steps = fc.array(fc.tuple(fc.boolean(), key), { minLength: 60, maxLength: 80, size: 'max' });
    fc.assert(
      fc.property(steps, (course) => {
        const table = new KeyTable(width), expected = new Map<string, number>();
        let most = 0;
        for (const [adds, one] of course) {
          const slot = table.find(one);
          expect(slot).toBe(expected.get(named(one)) ?? NO_SLOT);
          if (adds && slot === NO_SLOT) {
            const opened = table.add(one);
            expect([...expected.values()]).not.toContain(opened);
            expect(table.keyOf(opened)).toEqual(one);
            expected.set(named(one), opened);
          } else if (!adds && slot !== NO_SLOT) {
            table.drop(slot);
            expected.delete(named(one));
            expect(table.isOpen(slot)).toBe(false);
          }
          most = Math.max(most, expected.size);
          expect(table.size).toBe(expected.size);
        }
        const slots = [...table.slots()];
        expect(slots).toEqual([...expected.values()].sort((a, b) => a - b));
        for (const slot of slots) expect([slot < most, table.isOpen(slot)]).toEqual([true, true]); // slots of dropped keys serve again
      }),
      { numRuns: 200 },
    );
  });

  test('remembers the last answer no longer than it holds', () => {
    const table = new KeyTable(1);
    const a = table.add(['a']);
    expect(table.find(['a'])).toBe(a);
    table.drop(a);
    expect(table.find(['a'])).toBe(NO_SLOT);
    expect(table.add(['b'])).toBe(a);
    expect([table.find(['b']), table.find(['a'])]).toEqual([a, NO_SLOT]);
  });

  test('leaves no empty level behind', () => {
    const table = new KeyTable(3);
    const [one, other, far] = [['a', 'b', 1], ['a', 'c', 1], ['z', 'b', 1]].map((key) => table.add(key));
    const { root } = table as unknown as { root: Map<string, Map<string, Map<number, number>>> };
    table.drop(one!);
    expect([...root.get('a')!.keys()]).toEqual(['c']);
    table.drop(other!);
    expect([...root.keys()]).toEqual(['z']);
    table.drop(far!);
    expect(root.size).toBe(0);
  });

  test('without columns there is one key', () => {
    const table = new KeyTable(0);
    expect(table.find([])).toBe(NO_SLOT);
    expect(table.add([])).toBe(0);
    expect([table.find([]), table.size, table.keyOf(0)]).toEqual([0, 1, []]);
    table.drop(0);
    expect(table.find([])).toBe(NO_SLOT);
    expect(table.add([])).toBe(0);
  });

  test('lets go of the parts of a dropped key', () => {
    const table = new KeyTable(2);
    const slot = table.add(['long text', new Date(1)]);
    table.drop(slot);
    expect(table.keyOf(slot)).toEqual([null, null]);
  });
});
