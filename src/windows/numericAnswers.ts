import type { NumericAnswer } from '../aggregates/aggregate.ts';
import { varianceOf } from './moments.ts';
import { MISSING, NONE } from './eventStore.ts';
import { quotient } from './doubleDouble.ts';

const ANSWERS: readonly NumericAnswer[] = ['count', 'sum', 'avg', 'min', 'max', 'varSamp', 'varPop', 'stddevSamp', 'stddevPop'];
const COUNT = 0, SUM = 1, AVG = 2, MIN = 3, MAX = 4, VAR_SAMP = 5, VAR_POP = 6, STDDEV_SAMP = 7, STDDEV_POP = 8;

/** Where the lanes of a state stand; NONE for those that it does not have. */
export interface StateLayout {
  readonly width: number;
  readonly sumAt: number;
  readonly minAt: number;
  readonly meanAt: number;
  /** What a sum is multiplied by that was scaled down. */
  readonly up: number;
}

/**
 * Reads what measures ask for out of fused results: state by state, since one look at a count, a sum or a mean serves all
 * measures that need it. Measure by measure it costs twice as much.
 */
export class NumericAnswers {
  /** By lookback and answer: the place among the outputs, or NONE. */
  private readonly places: Int32Array;
  /** Measures that ask for the same under another name: their place, and the place to copy from. */
  private copies: { readonly place: number; readonly from: number }[] = [];
  private readonly lookbacks: number;
  private readonly layout: StateLayout;

  constructor(lookbacks: number, layout: StateLayout) {
    this.lookbacks = lookbacks;
    this.layout = layout;
    this.places = new Int32Array(lookbacks * ANSWERS.length).fill(NONE);
  }

  add(place: number, answer: NumericAnswer, lookback: number): void {
    const at = lookback * ANSWERS.length + ANSWERS.indexOf(answer), from = this.places[at]!;
    if (from === NONE) this.places[at] = place;
    else this.copies.push({ place, from });
  }

  /** Nothing but counts is asked for any more. */
  keepCounts(): void {
    const counts = this.places.filter((_, at) => at % ANSWERS.length === COUNT);
    this.places.forEach((_, at) => {
      if (at % ANSWERS.length !== COUNT) this.places[at] = NONE;
    });
    this.copies = this.copies.filter(({ from }) => counts.includes(from));
  }

  /** Writes each measure's answer at its place; `MISSING` for null. */
  readInto(outputs: Float64Array, results: Float64Array): void {
    const { layout, lookbacks } = this;
    for (let l = 0; l < lookbacks; l++) {
      const at = l * layout.width, count = results[at]!;
      this.put(outputs, l, COUNT, Math.abs(count));
      if (count === 0) for (let answer = SUM; answer <= STDDEV_POP; answer++) this.put(outputs, l, answer, MISSING);
      else {
        if (layout.sumAt !== NONE) this.readSum(outputs, l, results, at + layout.sumAt, count);
        if (layout.minAt !== NONE) {
          this.put(outputs, l, MIN, results[at + layout.minAt]!);
          this.put(outputs, l, MAX, results[at + layout.minAt + 1]!);
        }
        if (layout.meanAt !== NONE) this.readMoments(outputs, l, results, at + layout.meanAt, Math.abs(count));
      }
    }
    for (const { place, from } of this.copies) outputs[place] = outputs[from]!;
  }

  private readSum(outputs: Float64Array, l: number, results: Float64Array, at: number, count: number): void {
    const high = results[at]!, low = results[at + 1]!, up = count < 0 ? this.layout.up : 1;
    this.put(outputs, l, SUM, (high + low) * up + 0);
    this.put(outputs, l, AVG, quotient(high, low, Math.abs(count)) * up + 0);
  }

  private readMoments(outputs: Float64Array, l: number, results: Float64Array, at: number, n: number): void {
    const population = varianceOf(results, at, n), sample = n > 1 ? varianceOf(results, at, n - 1) : MISSING;
    this.put(outputs, l, VAR_SAMP, sample);
    this.put(outputs, l, VAR_POP, population);
    this.put(outputs, l, STDDEV_SAMP, n > 1 ? Math.sqrt(sample) : MISSING);
    this.put(outputs, l, STDDEV_POP, Math.sqrt(population));
  }

  private put(outputs: Float64Array, lookback: number, answer: number, value: number): void {
    const place = this.places[lookback * ANSWERS.length + answer]!;
    if (place !== NONE) outputs[place] = value;
  }
}
