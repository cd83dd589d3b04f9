import { count, preceding, range, rollingWindowOf, type OperatorOptions } from '../../operators/index.ts';
import type { EngineSettings } from '../../operators/index.ts';

/** What the tests feed: a key and a time in milliseconds. */
export interface Hit {
  readonly k: string;
  readonly t: number;
}

export type HitOptions = Omit<OperatorOptions<'k' | 't'>, never> & Omit<EngineSettings<Hit>, 'time'> & { readonly frontierSpec?: { readonly delay: number } };

/** The count of hits over the last 8 ms. */
export const lastHits = { partitionBy: 'k', orderBy: 't', measures: [count().over(preceding(range(8))).as('n')] } as const;

export const countHits = (options: HitOptions = {}) => rollingWindowOf<Hit>()({ ...lastHits, ...options });

export const at = (t: number, k = 'a'): Hit => ({ k, t });
export const row = (frontier: number, n: number, k = 'a') => ({ k, __frontier: frontier, n });
