import { RollingWindowError, shown } from '../errors.ts';
import type { AnyWindowColumn } from '../measures/windowMeasure.ts';
import type { AnswerColumn } from './answers.ts';
import type { Row } from './orderKeys.ts';
import { windowPlan, type WindowPlan } from './plan.ts';
import { RowExtender } from './rowExtender.ts';
import { windowAnswers } from './windowAnswers.ts';
import type { WindowConfig, WindowRow } from './windowRow.ts';

/**
 * Rows with columns of window functions: what a row is among others.
 *
 * Gives new rows, in the order in which they came, each with its own columns and the new ones; the rows given stay as they
 * are. What a row lacks is null. Takes O(n log n), and for each different frame as much as its answer is long: k values of
 * `topK`, up to its limit of `collect`.
 *
 * @throws RollingWindowError `invalid-window` for what is no column over a window, `duplicate-column` for names that clash,
 * also with a row's own; `invalid-key`, `invalid-value` for what rows hold; `user-code` where an aggregate throws.
 * @example
 * const perCategory = Window.partitionBy('category').orderBy(desc('revenue'));
 * windowColumns(products, { columns: [rank().over(perCategory)] }) // [{ product: 'Thin', …, 'rank()': 1 }, …]
 */
export function windowColumns<E, const Columns extends readonly AnyWindowColumn[]>(rows: readonly E[], config: WindowConfig<E, Columns>): WindowRow<E, Columns>[] {
  return extendedRows(windowPlan(config), rows as readonly Row[]) as WindowRow<E, Columns>[];
}

/** The rows with the columns of a plan. */
export function extendedRows(plan: WindowPlan, rows: readonly Row[]): Row[] {
  checkRows(rows);
  const answers: AnswerColumn[] = [], extender = new RowExtender(plan.names);
  for (const planned of plan.windows) windowAnswers(planned, rows).forEach((answer, i) => (answers[planned.columns[i]!.place] = answer));
  return rows.map((row, i) => extender.extend(row, answers, i));
}

function checkRows(rows: unknown): void {
  if (!Array.isArray(rows)) throw new RollingWindowError('invalid-value', { expected: 'a list of rows', given: shown(rows) });
  for (const row of rows as readonly unknown[]) {
    if (typeof row !== 'object' || row === null) throw new RollingWindowError('invalid-value', { expected: 'rows that are objects', given: shown(row) });
  }
}
