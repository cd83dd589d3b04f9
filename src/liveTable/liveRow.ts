import { sameValue } from '../emission/sameValue.ts';
import type { Row } from './ownRow.ts';

/** A row of a table with what window functions say of it. */
export class LiveRow {
  /** Its own columns. */
  row: Row;
  /** The row with its new columns, as it left last; `undefined` before the first time. */
  shown: Row | undefined = undefined;
  /** Its number in the order in which keys came. */
  readonly serial: number;
  /** By the place of the column. */
  readonly answers: unknown[] = [];

  constructor(row: Row, serial: number) {
    this.row = row;
    this.serial = serial;
  }

  /** Notes an answer. Whether it is another than before. */
  answer(place: number, answer: unknown): boolean {
    if (sameValue(this.answers[place], answer)) return false;
    this.answers[place] = answer;
    return true;
  }
}
