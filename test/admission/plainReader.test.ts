import { describe, expect, test } from 'vitest';
import { plainReaderOf, type PlainReader } from '../../src/admission/plainReader.ts';

const namesOf = (plan: number, columns: number) => ({ time: `t${plan}`, key: `k${plan}`, numbers: Array.from({ length: columns }, (_, i) => `v${plan} ${i}`) });

/** What a reader makes of an event: time, key, and the numbers if it took all of them. */
function readWith(reader: PlainReader, event: Record<string, unknown>, columns: number): { time: unknown; key: unknown; numbers: number[] | false } {
  const numbers = new Float64Array(columns + 1).fill(-7);
  return { time: reader.timeOf(event), key: reader.keyOf(event), numbers: readNumbers(reader, event, numbers) && [...numbers] };
}

function readNumbers(reader: PlainReader, event: Record<string, unknown>, numbers: Float64Array): boolean {
  const heads = [reader.firstOf(event), reader.secondOf(event)].slice(0, reader.count);
  if (!heads.every((value) => typeof value === 'number')) return false;
  numbers.set(heads.map((value) => value + 0));
  return reader.readRest(event, numbers);
}

describe.each([0, 1, 2, 3, 5])('with %i columns', (columns) => {
  test('every plan reads its own names, whether it has a place to itself or shares one', () => {
    for (let plan = 0; plan < 8; plan++) {
      const names = namesOf(plan, columns), reader = plainReaderOf(names);
      const event: Record<string, unknown> = { [names.time]: 9.5, [names.key]: 'a', ...Object.fromEntries(names.numbers.map((name, i) => [name, i === 0 ? -0 : i])) };
      expect(readWith(reader, event, columns)).toEqual({ time: 9.5, key: 'a', numbers: [...names.numbers.keys(), -7] }); // and -0 became 0
      for (const name of names.numbers) {
        for (const other of [undefined, null, new Date(0), 5n, true, '5']) expect(readWith(reader, { ...event, [name]: other }, columns).numbers).toBe(false);
      }
    }
  });
});

test('plans of the same names read at the same place', () => {
  const [one, other] = [plainReaderOf(namesOf(0, 1)), plainReaderOf(namesOf(0, 1))];
  expect(one).not.toBe(other);
  expect(one.constructor).toBe(other.constructor);
});
