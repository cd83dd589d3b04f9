import { approxPercentile, count, countDistinct, createEngine, max, preceding, range } from 'rxjs-rolling-window/engine';
import type { Measurement } from '../measurement.ts';

const tenSeconds = preceding(range('10 seconds'));
const minute = preceding(range('1 minute'));
const fiveMinutes = preceding(range('5 minutes'));
const shares = [0.5, 0.95, 0.99] as const;

/** What both tables have: how many, and how long they took. */
const counted = [
  count().over(tenSeconds).as('count_10s'),
  count().over(minute).as('count_1m'),
  count().over(fiveMinutes).as('count_5m'),
  approxPercentile('value', shares).over(tenSeconds).as('percentiles_10s'),
  approxPercentile('value', shares).over(minute).as('percentiles_1m'),
  approxPercentile('value', shares).over(fiveMinutes).as('percentiles_5m'),
  max('value').over(tenSeconds).as('max_10s'),
  max('value').over(minute).as('max_1m'),
  max('value').over(fiveMinutes).as('max_5m'),
] as const;

const common = {
  orderBy: 'at',
  // Long tasks and events are reported after the fact, up to some hundred milliseconds: with the delay they still come in order.
  frontierSpec: { delay: '250 milliseconds' },
  watermark: '5 seconds',
} as const;

/** An engine with a row for each kind and route. */
export const openPerRoute = () => createEngine<Measurement>()({ ...common, partitionBy: ['kind', 'route'], measures: counted });

/** An engine with a row for each kind, which also knows on how many routes it was. */
export const openPerKind = () =>
  createEngine<Measurement>()({
    ...common,
    partitionBy: 'kind',
    measures: [
      ...counted,
      countDistinct('route').over(tenSeconds).as('routes_10s'),
      countDistinct('route').over(minute).as('routes_1m'),
      countDistinct('route').over(fiveMinutes).as('routes_5m'),
    ],
  });

export type RouteRow = ReturnType<ReturnType<typeof openPerRoute>['advance']>[number];
export type KindRow = ReturnType<ReturnType<typeof openPerKind>['advance']>[number];

/** What is sent to an engine in a worker. */
export const columns = ['kind', 'route', 'value', 'at'] as const;
