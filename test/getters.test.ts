import { expect, test } from 'vitest';
import { count, createEngine, preceding, range, RollingWindowError, sum } from '../src/index.ts';

interface Sale {
  readonly shop: string;
  readonly t: number;
  readonly v: number;
}
const start = () => createEngine<Sale>()({ partitionBy: 'shop', orderBy: 't', measures: [sum('v').over(preceding(range(1000))), count().over(preceding(range(1000))).as('n')] });

test('an event whose getter calls the engine is taken in after what the getter did', () => {
  const engine = start();
  engine.push({ shop: 'a', t: 1, v: 1 }, 1);
  engine.advance(1);
  let pushed = false;
  const event = {
    shop: 'a',
    t: 3,
    get v() {
      if (!pushed) {
        pushed = true;
        engine.push({ shop: 'a', t: 2, v: 100 }, 3);
      }
      return 5;
    },
  };
  engine.push(event, 3);
  expect(engine.advance(3)).toMatchObject([{ 'sum(v)': 106, n: 3 }]);
});

test('a getter that evaluates drops no key under the event', () => {
  const engine = start();
  engine.push({ shop: 'a', t: 1, v: 1 }, 1);
  engine.advance(1);
  const event = {
    shop: 'a',
    t: 5500,
    get v() {
      engine.advance(5000);
      return 5;
    },
  };
  engine.push(event, 5500);
  expect(engine.stats).toMatchObject({ keys: 1, events: 1 });
  expect(engine.advance(5500)).toMatchObject([{ 'sum(v)': 5, n: 1 }]);
});

test.each(['1000', true, [5], null, new Date(5), 5n, undefined, NaN, Infinity])('%s is no clock reading, in the usual way as in any other', (reading) => {
  const engine = start();
  engine.push({ shop: 'a', t: 1, v: 1 }, 1);
  for (const act of [() => engine.push({ shop: 'a', t: 2, v: 1 }, reading as never), () => engine.advance(reading as never)]) {
    expect(act).toThrow(RollingWindowError);
    expect(act).toThrow(/clock reading/);
  }
  expect(engine.advance(3)).toMatchObject([{ n: 1 }]);
});
