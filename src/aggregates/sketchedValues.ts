import type { Aggregate } from './aggregate.ts';
import type { PercentileSketch } from './percentileSketch.ts';

/** The finite numbers in a sketch, and how many others there are: no sketch has a place for these. */
export interface SketchedValues<State> {
  sketch: State;
  finite: number;
  /** Infinities by their sign. */
  below: number;
  above: number;
  nans: number;
}

/** What all aggregates do alike whose state is a sketch: everything but the answer. It can `retract` where the sketch can `remove`. */
export function sketchedValues<State>(sketch: PercentileSketch<State>): Omit<Aggregate<number, SketchedValues<State>, unknown>, 'name' | 'finish' | 'lifetime' | 'numeric'> {
  const counted = (state: SketchedValues<State>, value: number, times: 1 | -1): SketchedValues<State> => {
    if (value === Infinity) state.above += times;
    else if (value === -Infinity) state.below += times;
    else state.nans += times;
    return state;
  };
  return {
    zero: () => ({ sketch: sketch.zero(), finite: 0, below: 0, above: 0, nans: 0 }),
    reduce(state, value) {
      if (!Number.isFinite(value)) return counted(state, value, 1);
      state.sketch = sketch.add(state.sketch, value + 0);
      state.finite++;
      return state;
    },
    merge(into, from) {
      into.sketch = sketch.merge(into.sketch, from.sketch);
      into.finite += from.finite;
      into.below += from.below;
      into.above += from.above;
      into.nans += from.nans;
      return into;
    },
    encode: ({ sketch: numbers, finite, below, above, nans }) => [finite, below, above, nans, sketch.encode(numbers)],
    decode(encoded) {
      const [finite, below, above, nans, numbers] = encoded as [number, number, number, number, unknown];
      return { sketch: sketch.decode(numbers), finite, below, above, nans };
    },
    ...(sketch.remove && {
      retract(state: SketchedValues<State>, value: number) {
        if (!Number.isFinite(value)) return counted(state, value, -1);
        state.sketch = sketch.remove!(state.sketch, value + 0);
        state.finite--;
        return state;
      },
    }),
  };
}

/** How many values there are. */
export function countOf({ finite, below, above, nans }: SketchedValues<unknown>): number {
  return finite + below + above + nans;
}
