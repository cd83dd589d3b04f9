import { isMissing } from '../windows/eventStore.ts';

/** The answers of one column, by the place of the row among those that came in. */
export interface AnswerColumn {
  at(row: number): unknown;
}

/** Answers that are anything: values of the rows, lists, texts. */
export class CellAnswers implements AnswerColumn {
  readonly cells: unknown[];

  constructor(cells: unknown[]) {
    this.cells = cells;
  }

  at(row: number): unknown {
    return this.cells[row];
  }
}

/** Numbers, or null where `MISSING` stands: those of several columns side by side, so that one pass can write them all. */
export class NumberAnswers implements AnswerColumn {
  readonly doubles: Float64Array;
  private readonly stride: number;
  private readonly offset: number;

  constructor(doubles: Float64Array, stride = 1, offset = 0) {
    this.doubles = doubles;
    this.stride = stride;
    this.offset = offset;
  }

  at(row: number): number | null {
    const value = this.doubles[row * this.stride + this.offset]!;
    return isMissing(value) ? null : value;
  }
}
