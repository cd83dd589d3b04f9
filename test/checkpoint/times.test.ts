import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimeColumn, TimeMemory } from '../../src/checkpoint/timeColumn.ts';
import { TimeWriter } from '../../src/checkpoint/times.ts';

/** The column of some runs, whose times lie `stride` apart. */
function written(runs: readonly (readonly number[])[], stride = 1): Uint8Array {
  const writer = new TimeWriter();
  for (const run of runs) {
    writer.begin();
    const slab = Float64Array.from({ length: run.length * stride + 3 }, (_, i) => (i % stride === 2 % stride ? (run[(i - (2 % stride)) / stride] ?? NaN) : NaN));
    const middle = run.length >> 1;
    writer.add(slab, 2 % stride, stride, middle); // in two blocks
    writer.add(slab, (2 % stride) + middle * stride, stride, run.length - middle);
  }
  return writer.bytes;
}

function timesOf(bytes: Uint8Array, counts: Int32Array): Float64Array {
  const column = new TimeColumn(bytes, counts, new TimeMemory());
  return column.times.slice(0, column.length);
}

const bits = (times: Float64Array): string[] => Array.from(new BigUint64Array(times.buffer), String);
const back = (runs: readonly (readonly number[])[], stride?: number): Float64Array => timesOf(written(runs, stride), Int32Array.from(runs, ({ length }) => length));

const time = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.integer({ min: 2 ** 53 - 2 ** 45, max: 2 ** 53 - 1 }), // where whole numbers end
  fc.integer({ min: 1_790_000_000_000, max: 1_790_000_100_000 }),
  fc.integer({ min: -20, max: 20 }).map((halves) => halves / 2),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, 2 ** 31 - 1, 2 ** 31, 2 ** 46, 2 ** 47, 2 ** 48, -(2 ** 47), 2 ** 53, -8.64e15, 1.7e308),
);

test('times come back bit for bit: whole, in fractions, far apart, -0', () => {
  fc.assert(
    fc.property(fc.array(fc.array(time).map((run) => run.toSorted((a, b) => a - b)), { size: 'medium' }), fc.integer({ min: 1, max: 4 }), (runs, stride) => {
      expect(bits(back(runs, stride))).toEqual(bits(Float64Array.from(runs.flat())));
    }),
    { numRuns: 1500 },
  );
});

test('a time some seconds after the one before takes two bytes, a key some minutes after the one before three', () => {
  const runs = Array.from({ length: 50 }, (_, k) => Array.from({ length: 100 }, (_, i) => 1_790_000_000_000 + k * 60_000 + i * 3_000));
  expect(written(runs).length).toBe(6 + 49 * 3 + 50 * 99 * 2);
});

test('bytes that are no times, or of another number of them, are damaged', () => {
  const bytes = written([[1, 2, 3.5]]), damaged = expect.objectContaining({ code: 'snapshot-damaged' }) as Error;
  for (let length = 0; length < bytes.length; length++) expect(() => timesOf(bytes.subarray(0, length), Int32Array.of(3)), String(length)).toThrow(damaged);
  expect(() => timesOf(bytes, Int32Array.of(2))).toThrow(damaged);
  expect(() => timesOf(bytes, Int32Array.of(2 ** 30))).toThrow(damaged);
  expect(() => timesOf(Uint8Array.of(255, 255, 255), Int32Array.of(1, 1))).toThrow(damaged);
});

test('columns that share their memory take turns, and one that is damaged does not pass for whole', () => {
  const memory = new TimeMemory(), of = (runs: readonly (readonly number[])[], cut = 0): TimeColumn => {
    const bytes = written(runs);
    return new TimeColumn(bytes.subarray(0, bytes.length - cut), Int32Array.from(runs, ({ length }) => length), memory);
  };
  const [short, long, damaged] = [of([[7]]), of([[1, 2], [2.5, 3]]), of([[9, 9.5]], 1)];
  const times = (column: TimeColumn): number[] => [...column.times.subarray(0, column.length)];
  for (let turn = 0; turn < 2; turn++) {
    expect(times(short)).toEqual([7]);
    expect(times(long)).toEqual([1, 2, 2.5, 3]);
    for (let again = 0; again < 2; again++) expect(() => damaged.times).toThrow(expect.objectContaining({ code: 'snapshot-damaged' }) as Error);
    expect(times(long)).toEqual([1, 2, 2.5, 3]);
  }
});
