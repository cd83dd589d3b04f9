import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { RollingWindowError } from '../../src/errors.ts';
import { dates, epoch, epochMilliseconds, isoTime, type TimeAdapter } from '../../src/time/timestamp.ts';

const moment = 1_790_000_000_123;
const everyAdapter: [string, TimeAdapter][] = [
  ['epochMilliseconds', epochMilliseconds],
  ['dates', dates],
  ['seconds', epoch('seconds')],
  ['microseconds', epoch('microseconds')],
  ['nanoseconds', epoch('nanoseconds')],
  ['isoTime', isoTime],
];

const fail = (): never => {
  throw new Error('nobody may call this');
};
const trapped = new Proxy(new Date(moment), { get: fail, getPrototypeOf: fail, has: fail });
const hostile = { valueOf: fail, toString: fail, getTime: fail, [Symbol.toPrimitive]: fail, get [Symbol.toStringTag]() { return fail(); } };

describe.each(everyAdapter)('K3: %s', (_, adapter) => {
  test.each([null, undefined, NaN, Infinity, -Infinity, '', 'soon', true, Symbol('t'), {}, [], [moment], () => moment, new Date(NaN), { getTime: () => moment }, trapped, hostile, new Number(moment)].map((value) => [value]))('is no instant: case %#', (value) => {
    expect(adapter.read(value)).toBeNaN();
  });

  test('writes any frontier, also the one before the first evaluation', () => {
    for (const frontier of [-Infinity, -1e300, -8.64e15, -0.5, 0, moment + 0.25, 8.64e15, 1e300]) expect(() => adapter.write(frontier)).not.toThrow();
  });

  test('reads what it wrote as the frontier, less at most a millisecond that its form cannot hold', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger().map((number) => number / 1024), (frontier) => {
        const lost = frontier - adapter.read(adapter.write(frontier));
        expect(lost).toBeGreaterThanOrEqual(-Math.abs(frontier) * 2 ** -52);
        expect(lost).toBeLessThan(1);
      }),
    );
  });
});

describe('K3: epoch milliseconds and Date', () => {
  test('are read as they are, fractions and far times included', () => {
    for (const ms of [0, -1, 0.25, moment + 0.5, -8.64e15, 2 ** 53]) expect(epochMilliseconds.read(ms)).toBe(ms);
    expect(epochMilliseconds.read(new Date(moment))).toBe(moment);
    expect(dates.read(new Date(0))).toBe(0);
  });

  test('a Date is read by its own slot, not by what a subclass makes of it', () => {
    class Odd extends Date {
      override getTime(): number {
        return 7;
      }
    }
    expect(epochMilliseconds.read(new Odd(moment))).toBe(moment);
  });

  test('the frontier is a number, unfloored; dates writes a Date, floored', () => {
    expect(epochMilliseconds.write(-0.25)).toBe(-0.25);
    expect(dates.write(moment + 0.75)).toEqual(new Date(moment));
    expect(dates.write(-0.25)).toEqual(new Date(-1));
    expect(dates.write(-Infinity).getTime()).toBeNaN();
  });
});

describe('K3: epoch(unit)', () => {
  test('seconds', () => {
    const seconds = epoch('seconds');
    expect(seconds.read(1_790_000_000.5)).toBe(1_790_000_000_500);
    expect(seconds.read(1_790_000_000n)).toBe(1_790_000_000_000);
    expect(seconds.read(1e308)).toBeNaN();
    expect(seconds.write(1500.5)).toBe(1.5005);
    expectTypeOf(seconds).toEqualTypeOf<TimeAdapter<number | bigint, number>>();
  });

  test('microseconds', () => {
    const micros = epoch('microseconds');
    expect(micros.read(1_790_000_000_123_456n)).toBe(1_790_000_000_123.456);
    expect(micros.read(1_500)).toBe(1.5);
    expect(micros.read(-1n)).toBe(-0.001);
    expect(micros.write(1.0009765625)).toBe(1000n);
    expect(micros.write(-0.25)).toBe(-250n);
    expect(micros.write(-0.0005)).toBe(-1n);
    expect(micros.write(-Number.MIN_VALUE)).toBe(-1n);
    expectTypeOf(micros).toEqualTypeOf<TimeAdapter<number | bigint, bigint>>();
  });

  test('nanoseconds beyond 2^53 keep what a double in milliseconds can hold', () => {
    const nanos = epoch('nanoseconds');
    expect(nanos.read(1_790_000_000_000_000_123n)).toBe(1_790_000_000_000 + 0.000123);
    expect(nanos.read(1_790_000_000_000_000_123n)).not.toBe(1_790_000_000_000);
    expect(nanos.read(-1_790_000_000_000_000_123n)).toBe(-1_790_000_000_000 - 0.000123);
    expect(nanos.read(10n ** 400n)).toBeNaN();
    expect(nanos.write(1_790_000_000_000.5)).toBe(1_790_000_000_000_500_000n);
    expect(nanos.write(-Infinity)).toBe(-(2n ** 63n));
  });

  test('refuses another unit', () => {
    // @ts-expect-error no such unit
    expect(() => epoch('minutes')).toThrow(RollingWindowError);
    // @ts-expect-error no such unit
    expect(() => epoch('minutes')).toThrow("[invalid-config] expected 'seconds', 'microseconds' or 'nanoseconds'; got \"minutes\"");
  });
});

describe('K3: ISO text', () => {
  test.each([
    ['2026-09-21T14:13:20Z', Date.UTC(2026, 8, 21, 14, 13, 20)],
    ['2026-09-21T14:13Z', Date.UTC(2026, 8, 21, 14, 13)],
    ['2026-09-21T14:13:20.5Z', Date.UTC(2026, 8, 21, 14, 13, 20, 500)],
    ['2026-09-21T14:13:20,123Z', Date.UTC(2026, 8, 21, 14, 13, 20, 123)],
    ['2026-09-21T14:13:20.1234567Z', Date.UTC(2026, 8, 21, 14, 13, 20) + 123.4567],
    ['1970-01-01T00:00:00.057Z', 57],
    ['2026-09-21T16:13:20+02:00', Date.UTC(2026, 8, 21, 14, 13, 20)],
    ['2026-09-21T09:43:20-0430', Date.UTC(2026, 8, 21, 14, 13, 20)],
    ['2026-09-21T16:13:20+02', Date.UTC(2026, 8, 21, 14, 13, 20)],
    ['2026-09-21', Date.UTC(2026, 8, 21)],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['0050-01-01T00:00:00Z', -60_589_296_000_000],
    ['-000001-01-01T00:00:00Z', -62_198_755_200_000],
    ['+275760-09-13T00:00:00Z', 8.64e15],
  ])('%s', (text, ms) => {
    expect(isoTime.read(text)).toBe(ms);
  });

  test.each(['2026-09-21T14:13:20', '2026-09-21 14:13:20Z', '2026-09-21T14:13:20 Z', '2026-09-21T14Z', '2026-09-21Z', '2026-09', '2026', '2026-02-29', '2026-02-30T00:00Z', '2026-13-01', '2026-00-01', '2026-09-31T00:00:00Z', '2026-09-21T25:00Z', '2026-09-21T24:00Z', '2026-09-21T14:60Z', '2026-09-21T23:59:60Z', '2026-09-21T14:13:20.Z', '2026-09-21T14:13:20+25:00', '2026-09-21T14:13:20+02:60', '2026-09-21T14:13:20+02:', '-000000-01-01T00:00:00Z', '+275760-09-14T00:00:00Z', ' 2026-09-21', '2026-09-21\n', 'Mon, 21 Sep 2026 14:13:20 GMT', '1790000000000'])('%j is no instant', (text) => {
    expect(isoTime.read(text)).toBeNaN();
  });

  test('the frontier is text, floored to the millisecond; beyond the range of Date its nearest end', () => {
    expect(isoTime.write(moment + 0.75)).toBe('2026-09-21T14:13:20.123Z');
    expect(isoTime.write(-0.25)).toBe('1969-12-31T23:59:59.999Z');
    expect(isoTime.write(-Infinity)).toBe('-271821-04-20T00:00:00.000Z');
    expect(isoTime.write(1e300)).toBe('+275760-09-13T00:00:00.000Z');
  });
});
