export type { LiveTableConfig } from './liveTableConfig.ts';
export { createLiveTable, type LiveTable, type LiveTableStats } from './liveTable.ts';
export type { RowBatch, RowOf, TableInput } from './rowBatch.ts';
export type { DeletedRow, InsertedRow, RowChange, UpdatedRow } from './rowChange.ts';
