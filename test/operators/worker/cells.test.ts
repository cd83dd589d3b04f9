import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellReader, type Columns } from '../../../operators/worker/cellReader.ts';
import { EVENTS, EventWriter } from '../../../operators/worker/eventWriter.ts';
import type { Cells } from '../../../operators/worker/cells.ts';

const names = Array.from({ length: 11 }, (_, i) => (i === 2 ? '7' : `c${String(i)}`));

/** As a port does it: copied, but for the buffer, which goes over. */
const crossed = (cells: Cells): Cells => structuredClone(cells, { transfer: [cells.cells] });

/** A line of one thread: a writer and its reader. */
function line(columns: readonly string[]) {
  const writer = new EventWriter(columns), reader = new CellReader(columns);
  writer.beginEvents(undefined);
  return {
    writer,
    /** What the other side makes of what was written. */
    send(): [now: number, event: Columns][] {
      const cells = crossed(writer.takeEvents());
      reader.open(cells);
      const events = Array.from({ length: reader.count }, (_, i): [number, Columns] => [reader.readingOf(i), reader.record(i)]);
      writer.beginEvents(reader.spare);
      return events;
    },
  };
}

const texts = ['a', 'b', '', '\u{1F600}', '\uD800', '__proto__', 'constructor', '1', 'NaN'];
const numbers = [0, -0, 1, -1.5, NaN, Infinity, -Infinity, 5e-324, 2 ** 53, 1.7e308];
const others = [null, undefined, true, false, 1n, -(2n ** 70n), new Date(5), new Date(NaN), [1, 'a', null], { a: { b: undefined } }];
const value = fc.constantFrom<unknown>(...texts, ...numbers, ...others);
/** Columns mostly keep to one kind, as those of real events do. */
const column = fc.oneof({ weight: 4, arbitrary: fc.constant(fc.constantFrom<unknown>(...texts)) }, { weight: 4, arbitrary: fc.constant(fc.constantFrom<unknown>(...numbers)) }, fc.constant(value), fc.constant(fc.constantFrom<unknown>(...texts, null)));

const batches = fc
  .array(column, { minLength: 1, maxLength: names.length })
  .chain((columns) => fc.tuple(fc.constant(names.slice(0, columns.length)), fc.array(fc.array(fc.tuple(fc.constantFrom(1, 1, 2, -Infinity, 0.1, -0), fc.tuple(...columns)), { maxLength: 6 }), { maxLength: 6 })));

describe('events as cells', () => {
  it('come out as they went in, whatever they hold', () => {
    fc.assert(
      fc.property(batches, ([columns, drawn]) => {
        const { writer, send } = line(columns);
        for (const batch of drawn) {
          const events = batch.map(([now, values]): [number, Columns] => [now, Object.fromEntries(columns.map((name, i) => [name, values[i]]))]);
          for (const [now, event] of events) writer.add(event, now);
          expect(send()).toStrictEqual(events);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('fill a buffer', () => {
    const { writer, send } = line(['a', 'b']);
    const events = Array.from({ length: EVENTS }, (_, i): [number, Columns] => [i / 3, { a: `text ${String(i)}`, b: i }]);
    for (const [now, event] of events) writer.add(event, now);
    expect(send()).toStrictEqual(events);
  });

  it('of texts without end do not fill the memory: the list begins anew', () => {
    const { writer, send } = line(['a']);
    const sizes: number[] = [];
    for (let round = 0; round < 40; round++) {
      const events = Array.from({ length: 100 }, (_, i): [number, Columns] => [0, { a: `${'x'.repeat(1000)} ${String(round)} ${String(i)}` }]);
      for (const [now, event] of events) writer.add(event, now);
      sizes.push((writer as unknown as { places: Map<string, number> }).places.size);
      expect(send()).toStrictEqual(events);
    }
    expect(Math.max(...sizes)).toBeLessThan(1300);
  });

  it('say their reading anew in each buffer: one whose events were not read told nothing', () => {
    const writer = new EventWriter(['a']), reader = new CellReader(['a']);
    for (const now of [1, 2, 2]) {
      writer.beginEvents(undefined);
      writer.add({ a: now }, now);
      reader.open(crossed(writer.takeEvents()));
      if (now === 1) expect(reader.readingOf(0)).toBe(1);
    }
    expect(reader.readingOf(0)).toBe(2);
  });

  it('a column that begins with nulls is one of texts from its first text on', () => {
    const { writer } = line(['a']);
    for (const a of [null, null, 'x', 'y', 'x']) writer.add({ a }, 0);
    const { news } = writer.takeEvents();
    expect(news).toMatchObject({ isText: [true], texts: ['x', 'y'], others: [null, null] });
  });

  it('say nothing new where nothing is', () => {
    const { writer } = line(['a', 'b']);
    writer.add({ a: 'x', b: 1 }, 0);
    writer.takeEvents();
    writer.beginEvents(undefined);
    writer.add({ a: 'x', b: 2 }, 0);
    expect(writer.takeEvents()).not.toHaveProperty('news');
  });
});

describe('an event that is written', () => {
  it('is that of the moment: objects are copied', () => {
    const { writer, send } = line(['a', 'b']);
    const a = new Date(5), b = [1];
    writer.add({ a, b }, 0);
    a.setTime(6);
    b.push(2);
    expect(send()).toStrictEqual([[0, { a: new Date(5), b: [1] }]]);
  });

  it.each([() => 0, Symbol('s'), { f: () => 0 }])('that holds %s is refused, and leaves nothing', (odd) => {
    const { writer, send } = line(['a', 'b', 'c']);
    writer.add({ a: 1, b: 'x', c: null }, 0);
    expect(() => writer.add({ a: 2, b: null, c: odd }, 0)).toThrow(expect.objectContaining({ code: 'invalid-value' }));
    writer.add({ a: 3, b: 'y', c: 1 }, 0);
    expect(send()).toStrictEqual([[0, { a: 1, b: 'x', c: null }], [0, { a: 3, b: 'y', c: 1 }]]);
  });

  it('whose getter throws leaves nothing', () => {
    const { writer, send } = line(['a', 'b']);
    const thrower = { a: null, get b(): never { throw new Error('no'); } };
    expect(() => writer.add(thrower, 0)).toThrow('no');
    writer.add({ a: 1, b: 2 }, 5);
    expect(send()).toStrictEqual([[5, { a: 1, b: 2 }]]);
  });

  it('whose getter fills the buffer comes after all of it', () => {
    const { writer, send } = line(['a', 'b']);
    const before: unknown[] = [];
    let isFirst = true;
    const meddler = {
      a: 3,
      get b() {
        for (let i = 0; isFirst && i < EVENTS; i++) writer.add({ a: i, b: i }, 1);
        if (isFirst) before.push(...send()); // so many that the count is the same again
        isFirst = false;
        return 3;
      },
    };
    writer.add(meddler, 2);
    expect(before).toHaveLength(EVENTS);
    expect(send()).toStrictEqual([[2, { a: 3, b: 3 }]]);
  });

  it('whose getter writes an event comes after that one', () => {
    const { writer, send } = line(['a', 'b']);
    writer.add({ a: 1, b: 1 }, 0);
    let isFirst = true;
    const meddler = {
      a: 3,
      get b() {
        if (isFirst) {
          isFirst = false;
          writer.add({ a: 2, b: 2 }, 1);
        }
        return 3;
      },
    };
    writer.add(meddler, 2);
    expect(send()).toStrictEqual([[0, { a: 1, b: 1 }], [1, { a: 2, b: 2 }], [2, { a: 3, b: 3 }]]);
  });
});
