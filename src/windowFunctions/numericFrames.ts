import { MISSING } from '../windows/eventStore.ts';
import { NumericState, needsOf, type Doubles } from '../windows/numericState.ts';
import type { MomentArithmetic, NumericAnswer } from '../aggregates/aggregate.ts';
import { NumberAnswers } from './answers.ts';
import type { FrameEdges } from './frameEdges.ts';
import type { LaneValues } from './laneValues.ts';

/**
 * What counts, sums, extremes and moments of one column answer over frames that slide: the engine's fused state, in two
 * stacks (Tangwongsan, Hirzel & Schneider 2017). Nothing is subtracted: of the values before a middle there is a state of
 * each suffix, of those behind it one that grows; where a frame begins behind the middle, its end is the next middle.
 *
 *     values    1 2 3 4 5 | 6 7 8
 *     suffixes      3…5       4…5   5…5
 *     back                  6…8              frame [2, 8) = suffix of 2, then back
 */
export class NumericFrames extends NumericState {
  private suffixes: Doubles = new Float64Array(0);
  private readonly back: Doubles;
  private readonly result: Doubles;
  private readonly asked: readonly NumericAnswer[];

  /** `asked`: what is to be answered. `moments`: what the aggregates that need some do with them. */
  constructor(asked: readonly NumericAnswer[], moments?: MomentArithmetic) {
    super(asked.reduce((flags, answer) => flags | needsOf(answer), 0), moments);
    this.asked = asked;
    asked.forEach((answer, place) => this.answers.add(place, answer, 0));
    this.back = new Float64Array(this.width);
    this.result = new Float64Array(this.width);
  }

  /** The answers, in the order in which they were asked for. */
  over({ doubles, before }: LaneValues, edges: FrameEdges, order: Int32Array): NumberAnswers[] {
    const stride = this.asked.length, outputs = new Float64Array(order.length * stride).fill(MISSING);
    const { result, back } = this;
    const values = doubles ?? new Float64Array(0), counts = doubles === undefined || this.flags === 0;
    let from = -1, to = 0, middle = 0, first = 0;
    for (let at = 0; at < order.length; at++) {
      const start = before ? before[edges.from[at]!]! : edges.from[at]!, end = before ? before[edges.to[at]!]! : edges.to[at]!;
      if (counts) {
        result[0] = end - start;
      } else if (start !== from || end !== to) {
        if (start >= middle) {
          // What came into the back since then may lie before the frame: it begins anew.
          this.buildSuffixes(values, start, end);
          first = start;
          middle = end;
          this.reset(back, 0);
        } else if (end > to) this.foldValues(back, 0, values, to, end - to, 1);
        from = start;
        to = end;
        if (start < middle) this.copy(result, 0, this.suffixes, (start - first) * this.width);
        else this.reset(result, 0);
        this.merge(result, 0, back, 0);
      }
      this.answers.readInto(outputs, order[at]! * stride, result);
    }
    return this.asked.map((_, place) => new NumberAnswers(outputs, stride, place));
  }

  /** suffix(i) = the values at [first + i, end). */
  private buildSuffixes(values: Float64Array, first: number, end: number): void {
    const { width } = this, size = (end - first) * width;
    if (size > this.suffixes.length) this.suffixes = new Float64Array(Math.max(size, Math.min(2 * this.suffixes.length, values.length * width)));
    const { suffixes } = this;
    for (let i = end - first - 1; i >= 0; i--) {
      if (i === end - first - 1) this.reset(suffixes, i * width);
      else this.copy(suffixes, i * width, suffixes, (i + 1) * width);
      this.foldValues(suffixes, i * width, values, first + i, 1, 1);
    }
  }
}
