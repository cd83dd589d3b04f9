import type { AnyAggregate } from '../aggregates/aggregate.ts';
import type { CellAnswers } from './answers.ts';
import { answersAlong } from './answersAlong.ts';
import type { FrameEdges } from './frameEdges.ts';
import type { LaneValues } from './laneValues.ts';
import type { FinishAt, TimeAt } from './runningFrames.ts';

/** Values between two suffixes: one suffix per value would be as many states as values, of whatever size. */
const RUNG = 8;

/**
 * What an aggregate answers over frames that slide, where nothing can be taken out: two stacks, as in `NumericFrames`, with
 * a suffix at every eighth value. An answer is folded from the frame's beginning to the next suffix, then merged with that
 * and with the back; so values come to `reduce` and `merge` in their order.
 */
export function mergedFrames(aggregate: AnyAggregate, values: LaneValues, edges: FrameEdges, order: Int32Array, timeAt: TimeAt, finish: FinishAt): CellAnswers {
  const front = new FrontStack(aggregate, values.cells, timeAt);
  let to = 0, back = aggregate.zero();
  return answersAlong(values, edges, order, (start, end, at) => {
    if (start >= front.end) {
      front.build(start, end);
      back = aggregate.zero();
    } else back = front.fold(back, to, end);
    to = end;
    return finish(aggregate.merge(front.suffix(start), back), at);
  });
}

/** The values before the middle, with a state for the suffix from every eighth on. */
class FrontStack {
  /** The middle: the place behind its last value. */
  end = 0;
  private begin = 0;
  private suffixes: unknown[] = [];
  private readonly aggregate: AnyAggregate;
  private readonly cells: ArrayLike<unknown>;
  private readonly timeAt: TimeAt;

  constructor(aggregate: AnyAggregate, cells: ArrayLike<unknown>, timeAt: TimeAt) {
    this.aggregate = aggregate;
    this.cells = cells;
    this.timeAt = timeAt;
  }

  build(begin: number, end: number): void {
    const { aggregate } = this;
    this.begin = begin;
    this.end = end;
    const suffixes = (this.suffixes = new Array<unknown>(Math.ceil((end - begin) / RUNG)));
    for (let rung = suffixes.length - 1; rung >= 0; rung--) {
      const from = begin + rung * RUNG, state = this.fold(aggregate.zero(), from, Math.min(end, from + RUNG));
      suffixes[rung] = rung === suffixes.length - 1 ? state : aggregate.merge(state, suffixes[rung + 1]);
    }
  }

  /** A state of its own with the values from one on. */
  suffix(start: number): unknown {
    const { aggregate, suffixes, begin, end } = this;
    const rung = Math.ceil((start - begin) / RUNG), state = this.fold(aggregate.zero(), start, Math.min(end, begin + rung * RUNG));
    return rung < suffixes.length ? aggregate.merge(state, suffixes[rung]) : state;
  }

  fold(state: unknown, from: number, to: number): unknown {
    for (let i = from; i < to; i++) state = this.aggregate.reduce(state, this.cells[i], this.timeAt(i));
    return state;
  }
}
