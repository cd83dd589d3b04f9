/* What operators need beside what every user sees. */
export { windowPlan, type PlannedWindow, type WindowPlan } from './plan.ts';
export { windowAnswers } from './windowAnswers.ts';
export { invalidKey } from './sortedRows.ts';
export { RowExtender } from './rowExtender.ts';
export { extendedRows } from './windowColumns.ts';
export type { AnswerColumn } from './answers.ts';
export type { Row } from './orderKeys.ts';
