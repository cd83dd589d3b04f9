import type { MomentArithmetic, NumericAnswer } from '../aggregates/aggregate.ts';
import { MISSING } from './eventStore.ts';
import { quotient } from './doubleDouble.ts';

const ANSWERS: readonly NumericAnswer[] = ['count', 'sum', 'avg', 'min', 'max', 'varSamp', 'varPop', 'stddevSamp', 'stddevPop'];
const COUNT = 0, SUM = 1, AVG = 2, MIN = 3, MAX = 4, VAR_POP = 6, STDDEV_SAMP = 7, STDDEV_POP = 8;

/** Where the lanes of a state stand; NONE for those that it does not have. */
export interface StateLayout {
  readonly width: number;
  readonly sumAt: number;
  readonly minAt: number;
  readonly meanAt: number;
  /** What a sum is multiplied by that was scaled down. */
  readonly up: number;
}

/** A measure's place among the outputs, its answer, where its state begins in the results. */
const STEP = 3;

/**
 * Reads what measures ask for out of fused results.
 *
 * One loop over a list of numbers and one switch: a call for each answer would hand on its double in an object, which is
 * the dearest part of a row.
 */
export class NumericAnswers {
  private steps: Int32Array = new Int32Array(0);
  private readonly layout: StateLayout;
  private readonly moments: MomentArithmetic | undefined;

  constructor(layout: StateLayout, moments: MomentArithmetic | undefined) {
    this.layout = layout;
    this.moments = moments;
  }

  add(place: number, answer: NumericAnswer, lookback: number): void {
    this.steps = Int32Array.of(...this.steps, place, ANSWERS.indexOf(answer), lookback * this.layout.width);
  }

  /** Nothing but counts is asked for any more. */
  keepCounts(): void {
    this.steps = this.steps.filter((_, i) => this.steps[i - (i % STEP) + 1] === COUNT);
  }

  /**
   * Writes each measure's answer at its place behind `base`; `MISSING` for null.
   *
   * @returns Whether one differs from what stood there. NaN equals NaN, and null differs from 0.
   */
  readInto(outputs: Float64Array, base: number, results: Float64Array): boolean {
    const { steps, moments } = this, { sumAt, minAt, meanAt, up } = this.layout;
    let changed = false;
    for (let step = 0; step < steps.length; step += STEP) {
      const place = base + steps[step]!, answer = steps[step + 1]!, at = steps[step + 2]!;
      const count = results[at]!, n = Math.abs(count), scale = count < 0 ? up : 1;
      let value = MISSING;
      if (answer === COUNT) value = n;
      else if (n > 0) {
        switch (answer) {
          case SUM:
            value = (results[at + sumAt]! + results[at + sumAt + 1]!) * scale + 0;
            break;
          case AVG:
            value = quotient(results[at + sumAt]!, results[at + sumAt + 1]!, n) * scale + 0;
            break;
          case MIN:
            value = results[at + minAt]!;
            break;
          case MAX:
            value = results[at + minAt + 1]!;
            break;
          case VAR_POP:
            value = moments!.variance(results, at + meanAt, n);
            break;
          case STDDEV_POP:
            value = Math.sqrt(moments!.variance(results, at + meanAt, n));
            break;
          default: // of a sample: of one value there is none
            if (n > 1) value = moments!.variance(results, at + meanAt, n - 1);
            if (n > 1 && answer === STDDEV_SAMP) value = Math.sqrt(value);
        }
      }
      const before = outputs[place]!;
      // Not Object.is, which is a call here. -0 stands for null.
      if (value === before ? value !== 0 || 1 / value === 1 / before : value !== value && before !== before) continue;
      outputs[place] = value;
      changed = true;
    }
    return changed;
  }
}
