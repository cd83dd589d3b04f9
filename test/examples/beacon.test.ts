import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Beacon, parts } from '../../examples/dashboard/beacon.ts';

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

test('a text of just the limit is whole', () => {
  const given = [{ a: 1 }, { b: 'ü' }], bytes = Buffer.byteLength(JSON.stringify(given));
  expect(parts(given, bytes)).toHaveLength(1);
  expect(parts(given, bytes - 1)).toHaveLength(2);
});

test('no rows, no text', () => {
  expect(parts([])).toEqual([]);
});

test('what the browser does not take over is sent with the next call, in its newest form, and nothing twice', async () => {
  const sent: Blob[] = [];
  const refusals = [false, true]; // the first text goes, the second does not
  vi.stubGlobal('navigator', { sendBeacon: (_: string, body: Blob) => !refusals.shift() && sent.push(body) > 0 });
  onTestFinished(() => void vi.unstubAllGlobals());
  const beacon = new Beacon<object>('/beacon');
  const row = (i: number, count: number): object => ({ route: `${String(i)} ${'x'.repeat(200)}`, count });
  for (let i = 0; i < 700; i++) beacon.note(String(i), row(i, 1));

  beacon.send();
  beacon.note('699', row(699, 2));
  beacon.send();
  beacon.send();

  const bodies = await Promise.all(sent.map((blob) => blob.text()));
  expect(bodies.map((body) => Buffer.byteLength(body)).filter((bytes) => bytes > 60_000)).toEqual([]);
  expect(bodies).toHaveLength(3);
  expect(bodies.flatMap((body) => JSON.parse(body) as object[])).toEqual([...Array.from({ length: 699 }, (_, i) => row(i, 1)), row(699, 2)]);
});
