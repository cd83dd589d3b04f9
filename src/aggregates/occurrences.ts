import type { Aggregate } from './aggregate.ts';

/** Each distinct value with the number of times it is there. Dates go by their epoch, apart from equal numbers. */
export interface Occurrences {
  readonly values: Map<unknown, number>;
  readonly dates: Map<number, number>;
}

/** Aggregates that know how often each value is there: they differ in the answer. A lifetime keeps every distinct value. */
export function occurrences<Out>(name: string, finish: (state: Occurrences) => Out): Aggregate<unknown, Occurrences, Out> {
  return {
    name,
    builtIn: true,
    zero: () => ({ values: new Map(), dates: new Map() }),
    reduce: (state, value) => add(state, value, 1),
    merge(into, from) {
      for (const [value, times] of from.values) addTimes(into.values, value, times);
      for (const [epoch, times] of from.dates) addTimes(into.dates, epoch, times);
      return into;
    },
    retract: (state, value) => add(state, value, -1),
    finish,
    encode: ({ values, dates }) => [[...values], [...dates]],
    decode(encoded) {
      const [values, dates] = encoded as [[unknown, number][], [number, number][]];
      return { values: new Map(values), dates: new Map(dates) };
    },
  };
}

/** Calls `visit` with each value and how often it is there. */
export function eachOccurrence({ values, dates }: Occurrences, visit: (value: unknown, times: number) => void): void {
  for (const [value, times] of values) visit(value, times);
  for (const [epoch, times] of dates) visit(new Date(epoch), times);
}

function add(state: Occurrences, value: unknown, times: number): Occurrences {
  if (value instanceof Date) addTimes(state.dates, value.getTime(), times);
  else addTimes(state.values, value, times);
  return state;
}

function addTimes<T>(counts: Map<T, number>, value: T, times: number): void {
  const left = (counts.get(value) ?? 0) + times;
  if (left === 0) counts.delete(value);
  else counts.set(value, left);
}
