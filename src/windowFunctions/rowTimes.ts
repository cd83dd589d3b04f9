import type { SortedRows } from './sortedRows.ts';

/**
 * By row: its time, for aggregates that read times. That is the value of the order column, where there is one, ascending,
 * of numbers or dates; NaN where a row has none. Absent where the window has no times.
 */
export function rowTimes({ keys }: SortedRows): Float64Array | undefined {
  const [only] = keys;
  if (keys.length !== 1 || !only?.timed) return undefined;
  const times = only.amounts as Float64Array, { apart } = only;
  return apart ? times.map((time, row) => (apart[row] ? NaN : time)) : times;
}
