import { createEngine, preceding, range, sum, udaf } from 'rxjs-rolling-window/engine';

export interface Sale {
  readonly region: string;
  readonly revenue: number | null;
  readonly at: number;
}

/** Sums, and throws at the number 13. */
export const moody = udaf({
  name: 'moody',
  zero: () => 0,
  reduce(state: number, value: number) {
    if (value === 13) throw new RangeError('thirteen');
    return state + value;
  },
  merge: (into: number, from: number) => into + from,
  finish: (state: number) => state,
});

export const salesEngine = (onInvalid: 'drop' | 'error' = 'drop') =>
  createEngine<Sale>()({
    partitionBy: 'region',
    orderBy: 'at',
    onInvalid,
    measures: [sum('revenue').over(preceding(range(100))), moody('revenue').as('total')],
  });

export const columns = ['region', 'revenue', 'at'] as const;

export const sale = (at: number, revenue: number | null = 1, region = 'eu'): Sale => ({ region, revenue, at });
