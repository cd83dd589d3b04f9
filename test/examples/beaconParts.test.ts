import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parts } from '../../examples/dashboard/beacon.ts';

const rows = fc.array(fc.record({ route: fc.string({ unit: 'binary', maxLength: 40 }), count: fc.nat() }), { maxLength: 60 });

test('all rows leave in order, in as few texts as a greedy hand needs, none above the limit', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 300, max: 2000 }), (given, limit) => {
      const texts = parts(given, limit);
      expect(texts.flatMap((text) => JSON.parse(text) as unknown[])).toEqual(JSON.parse(JSON.stringify(given)));
      for (const [i, text] of texts.entries()) {
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
        const next = texts[i + 1];
        // The next text's first row would not have fitted in.
        if (next) expect(Buffer.byteLength(`${text.slice(0, -1)},${JSON.stringify((JSON.parse(next) as unknown[])[0])}]`)).toBeGreaterThan(limit);
      }
    }),
  );
});

test('a row above the limit is in a text of its own', () => {
  const long = { route: 'x'.repeat(500) }, short = { route: 'y' };
  expect(parts([short, long, short], 300).map((text) => (JSON.parse(text) as unknown[]).length)).toEqual([1, 1, 1]);
});

test('no rows, no text', () => {
  expect(parts([])).toEqual([]);
});
