import type { RollingBatch } from '../rollingBatches.ts';

/** A batch that a worker gave. One hidden class for all, and no property that has to be defined apart: it comes with each frame. */
export class RemoteBatch implements RollingBatch<unknown> {
  readonly batchId: number;
  readonly frontier: number;
  readonly watermark: number;
  readonly rows: readonly unknown[];
  readonly removed: readonly unknown[];
  readonly #keyColumns: readonly string[];

  constructor(batchId: number, frontier: number, watermark: number, rows: readonly unknown[], removed: readonly unknown[], keyColumns: readonly string[]) {
    this.batchId = batchId;
    this.frontier = frontier;
    this.watermark = watermark;
    this.rows = rows;
    this.removed = removed;
    this.#keyColumns = keyColumns;
  }

  get keyColumns(): readonly string[] {
    return this.#keyColumns;
  }
}
