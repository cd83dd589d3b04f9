import { RollingWindowError, shown } from '../errors.ts';
import type { AnswerColumn } from './answers.ts';
import type { Row } from './orderKeys.ts';

/** Makes rows with the new columns behind their own. */
export class RowExtender {
  private readonly names: readonly string[];
  /** The columns of the row before: most rows have the same, which were found to be others than the new ones. */
  private known: readonly string[] = [];

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** A new row with its answers, which stand at `at` in each column. */
  extend(row: Row, answers: readonly AnswerColumn[], at: number): Row {
    const { names } = this, extended = this.copy(row);
    for (let c = 0; c < names.length; c++) extended[names[c]!] = answers[c]!.at(at);
    return extended;
  }

  /**
   * A copy of a row, which takes new columns. It is made column by column: to one made by `{ ...row }`, which has room for the
   * copied columns only, a new one costs ten times as much.
   *
   * @throws RollingWindowError `duplicate-column` where the row has a column of a new one's name.
   */
  copy(row: Row): Record<string, unknown> {
    const own = Object.keys(row), copy: Record<string, unknown> = {};
    if (!isSame(own, this.known)) this.check(own);
    for (const name of own) {
      if (name === '__proto__') Object.defineProperty(copy, name, { value: row[name], writable: true, enumerable: true, configurable: true });
      else copy[name] = row[name];
    }
    return copy;
  }

  private check(own: readonly string[]): void {
    const name = this.names.find((one) => own.includes(one));
    if (name !== undefined) {
      throw new RollingWindowError('duplicate-column', { expected: "names that are none of the row's own", given: shown(name), remedy: "Rename the column with .as('name')" });
    }
    this.known = own;
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
