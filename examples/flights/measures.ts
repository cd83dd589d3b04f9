import { approxPercentile, avg, count, dates, max, preceding, range, type RollingRow } from 'rxjs-rolling-window';
import type { Flight } from './flights.ts';

const lastDay = preceding(range('24 hours'));
const lastWeek = preceding(range('7 days'));

/** What is measured, for the table and for the plain rows alike: three windows of four measures for each airport of origin. */
export const perOrigin = {
  partitionBy: 'origin',
  orderBy: 'time',
  time: dates,
  frontierSpec: { alias: 'as_of' },
  measures: [
    count().over(lastDay).as('flights_24h'),
    avg('delay').over(lastDay).as('avg_24h'),
    approxPercentile('delay', 0.95).over(lastDay).as('p95_24h'),
    max('delay').over(lastDay).as('worst_24h'),

    count().over(lastWeek).as('flights_7d'),
    avg('delay').over(lastWeek).as('avg_7d'),
    approxPercentile('delay', 0.95).over(lastWeek).as('p95_7d'),
    max('delay').over(lastWeek).as('worst_7d'),

    count().as('flights'),
    avg('delay').as('avg'),
    approxPercentile('delay', 0.95, 1000).as('p95'), // over all time a sketch: within 0.1 %
    max('delay').as('worst'),
  ],
} as const;

export type AirportRow = RollingRow<Flight, 'origin', (typeof perOrigin)['measures'], 'as_of', Date>;
