import { describe, expect, test } from 'vitest';
import { Watermarks } from '../../src/admission/watermarks.ts';

describe('Watermarks', () => {
  test('each source has its own; the smallest is the watermark of the whole', () => {
    const watermarks = new Watermarks(5);
    expect([watermarks.value, watermarks.valueOf('fast'), watermarks.pending]).toEqual([-Infinity, -Infinity, false]);
    watermarks.observe('fast', 100, 1);
    watermarks.observe(null, 50, 1);
    expect([watermarks.value, watermarks.pending]).toEqual([-Infinity, true]);
    watermarks.advance(2);
    expect([watermarks.valueOf('fast'), watermarks.valueOf(null), watermarks.value, watermarks.pending]).toEqual([95, 45, 45, false]);
    watermarks.observe('new', 70, 2);
    expect([watermarks.value, watermarks.pending]).toEqual([-Infinity, true]); // a source whose progress nobody knows
    watermarks.advance(3);
    expect(watermarks.value).toBe(45);
  });

  test('at rest they are a list of sources', () => {
    const watermarks = new Watermarks(5), restored = new Watermarks(5);
    watermarks.observe('a', 10, 1);
    watermarks.observe(7n, 30, 1);
    watermarks.advance(2);
    watermarks.observe('a', 20, 2);
    restored.restore(watermarks.snapshot());
    for (const one of [watermarks, restored]) one.advance(3);
    expect([restored.valueOf('a'), restored.valueOf(7n)]).toEqual([15, 25]);
    expect(restored.snapshot()).toEqual(watermarks.snapshot());
  });
});
