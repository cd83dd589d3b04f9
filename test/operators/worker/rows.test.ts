import { expect, it } from 'vitest';
import { HEAD } from '../../../operators/worker/cells.ts';
import { RowReader } from '../../../operators/worker/rowReader.ts';
import { RowWriter } from '../../../operators/worker/rowWriter.ts';
import type { SentRows } from '../../../operators/worker/messages.ts';

const line = () => {
  const writer = new RowWriter(), reader = new RowReader();
  const sent: SentRows[] = [];
  const send = (rows: Record<string, unknown>[], spares: Float64Array<ArrayBuffer>[] = []): readonly unknown[] => {
    const cells = structuredClone(writer.write(rows, { batch: 1, frontier: 2, watermark: 3, next: 4 }, spares));
    sent.push(cells);
    return reader.read(cells);
  };
  return { sent, send };
};

it('rows cross as cells, whose columns are named once; with other columns they begin anew', () => {
  const { sent, send } = line();
  const rows = (...names: string[]) => [1, 2].map((n) => Object.fromEntries(names.map((name, i) => [name, i === 0 ? `key ${String(n)}` : n])));
  for (const names of [['k', 'n'], ['k', 'n'], ['k', 'n', 'warmUntil'], ['k', 'n']]) expect(send(rows(...names))).toStrictEqual(rows(...names));
  expect(sent.map((given) => 'columns' in given)).toEqual([true, false, true, true]);
  expect(send([])).toEqual([]);
});

it('rows of two shapes cross as they are, and those of one after them as cells', () => {
  const { sent, send } = line();
  const mixed = [{ k: 'a', n: 1 }, { k: 'b', n: 1, warmUntil: 5 }];
  expect(send([{ k: 'a', n: 1 }])).toStrictEqual([{ k: 'a', n: 1 }]);
  expect(send(mixed)).toStrictEqual(mixed);
  expect(send([{ k: 'b', n: 2 }])).toStrictEqual([{ k: 'b', n: 2 }]);
  expect(sent.map((given) => 'list' in given)).toEqual([false, true, false]);
});

it('rows of one table have their columns in one order, whatever is null', () => {
  const { send } = line();
  const rows = [{ k: null, n: 1, m: null }, { k: 'a', n: null, m: 2 }, { k: null, n: null, m: null }, { k: 'a', n: 3, m: 4 }];
  for (const sent of [rows, rows.toReversed(), rows.slice(3)]) {
    const arrived = send(sent);
    expect(arrived).toStrictEqual(sent);
    expect(arrived.map((row) => Object.keys(row as object))).toEqual(sent.map(() => ['k', 'n', 'm']));
  }
});

it('rows take a buffer that is there, where it is large enough', () => {
  const { send, sent } = line();
  const large = new Float64Array(128), small = new Float64Array(1);
  const rows = Array.from({ length: 10 }, (_, n) => ({ n, list: [n], at: new Date(n), none: null, big: 2n ** 70n, minus: -0 }));
  const spares = [small, large];
  expect(send(rows, spares)).toStrictEqual(rows);
  expect(send(rows, spares)).toStrictEqual(rows);
  expect(spares).toEqual([]);
  expect(sent.map(({ cells }) => cells.byteLength)).toEqual([1024, 8 * (HEAD + 60)]);
});
