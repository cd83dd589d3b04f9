import { copied } from '../emission/sameValue.ts';
import { CellAnswers } from './answers.ts';
import type { FrameEdges } from './frameEdges.ts';
import type { LaneValues } from './laneValues.ts';

/** The answer over the values at [start, end), for the row at a position. Neither edge ever goes back. */
export type AnswerOver = (start: number, end: number, at: number) => unknown;

/**
 * Asks for the answer of each frame once: an answer may look at all that its state holds, and where all rows have one frame,
 * asking for each would cost the square. Each row gets a copy: what `finish` gives may be the state itself, which goes on.
 */
export function answersAlong({ before }: LaneValues, edges: FrameEdges, order: Int32Array, answerOver: AnswerOver): CellAnswers {
  const answers = new Array<unknown>(order.length);
  let from = -1, to = -1, answer: unknown;
  for (let at = 0; at < order.length; at++) {
    const start = before ? before[edges.from[at]!]! : edges.from[at]!, end = before ? before[edges.to[at]!]! : edges.to[at]!;
    if (start !== from || end !== to) answer = answerOver(start, end, at);
    from = start;
    to = end;
    answers[order[at]!] = copied(answer);
  }
  return new CellAnswers(answers);
}
