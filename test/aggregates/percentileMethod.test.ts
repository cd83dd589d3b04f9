import { describe, expect, test } from 'vitest';
import { ddSketch } from '../../src/aggregates/ddSketch.ts';
import { checkedAccuracy, checkedMethod, type PercentileMethod } from '../../src/aggregates/percentileMethod.ts';

const own = { ...ddSketch(0.1), name: 'mine' };
const refusal = expect.objectContaining({ code: 'invalid-measure' }) as unknown;

describe('the sketch of a lifetime, and whether frames have it, too', () => {
  test.each<[PercentileMethod | undefined, string, boolean]>([
    [undefined, 'ddsketch 0.01', false],
    [100, 'ddsketch 0.01', false],
    [20, 'ddsketch 0.05', false],
    [10_000, 'ddsketch 0.001', false],
    [Infinity, 'ddsketch 0.001', false],
    [1, 'ddsketch 0.5', false],
    [{ relativeAccuracy: 0.02 }, 'ddsketch 0.02', true],
    [{ relativeAccuracy: 0.001 }, 'ddsketch 0.001', true],
    [{ sketch: own }, 'mine', true],
  ])('by %j', (how, name, inFrames) => {
    const method = checkedMethod(how);
    expect([method.sketch.name, method.inFrames]).toEqual([name, inFrames]);
  });

  test.each([0, -1, NaN, 0.5, { relativeAccuracy: 0 }, { relativeAccuracy: 0.0009 }, { relativeAccuracy: 1 }, { relativeAccuracy: '0.01' }, {}, null, 'fine'])('not by %o', (how) => {
    expect(() => checkedMethod(how as number)).toThrow(refusal);
  });

  // The last one would let a snapshot of another state be read as ours.
  test.each([null, 'sketch', {}, { ...own, at: undefined }, { ...own, name: 3 }, { ...own, name: 'ddsketch 0.01' }])('nor by the sketch %o', (sketch) => {
    expect(() => checkedMethod({ sketch } as never)).toThrow(refusal);
  });
});

test('an accuracy by itself', () => {
  expect(checkedAccuracy(0.01)).toBe(0.01);
  for (const wrong of [0, 1, NaN, '0.01', undefined]) expect(() => checkedAccuracy(wrong)).toThrow(refusal);
});
