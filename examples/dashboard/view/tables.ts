import type { KindRow, RouteRow } from '../engines/plans.ts';
import { kinds } from '../measurement.ts';
import { lookbacks, type Lookback } from '../lookbacks.ts';
import { LiveTable, type Column } from './liveTable.ts';
import { counted, measured, rate } from './numbers.ts';

/** What both tables show of a row, over the window that was chosen. */
function windowColumns(lookback: () => Lookback): Column<RouteRow | KindRow>[] {
  const percentile = (i: number) => (row: RouteRow | KindRow) => measured(row[`percentiles_${lookback()}`]?.[i]);
  return [
    { title: 'count', text: (row) => counted(row[`count_${lookback()}`]) },
    { title: '/s', meaning: 'per second', text: (row) => rate(row[`count_${lookback()}`], lookbacks[lookback()].seconds) },
    { title: 'p50', text: percentile(0) },
    { title: 'p95', text: percentile(1) },
    { title: 'p99', text: percentile(2) },
    { title: 'max', text: (row) => measured(row[`max_${lookback()}`]) },
  ];
}

export const kindTable = (table: HTMLTableElement, lookback: () => Lookback): LiveTable<KindRow> =>
  new LiveTable<KindRow>(table, [
    { title: 'kind', text: ({ kind }) => kind },
    { title: 'routes', meaning: 'distinct routes', text: (row) => counted(row[`routes_${lookback()}`]) },
    ...windowColumns(lookback),
  ]);

export const routeTable = (table: HTMLTableElement, lookback: () => Lookback): LiveTable<RouteRow> =>
  new LiveTable<RouteRow>(table, [{ title: 'kind and route', text: ({ kind, route }) => `${kind} ${route}` }, ...windowColumns(lookback)]);

/** By kind as `kinds` has them, then by route. */
export const orderOf = ({ kind, route = '' }: { readonly kind: (typeof kinds)[number]; readonly route?: string }): string => `${String(kinds.indexOf(kind)).padStart(2, '0')} ${route}`;
