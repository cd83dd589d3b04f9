import { readHeader, type Offset, type Partition } from './part.ts';

/** What a snapshot says of itself. */
export interface SnapshotDescription {
  readonly id: string;
  /** The id of the part that a delta goes on from; undefined of a base. */
  readonly parent: string | undefined;
  /** Whether it is the whole state. */
  readonly base: boolean;
  readonly position: { readonly events: number; readonly offsets: ReadonlyMap<Partition, Offset> };
  readonly frontier: number;
  readonly watermark: number;
  /** The version of the library that wrote it. */
  readonly library: string;
}

/**
 * Reads what stands in the header of a snapshot, without a look at the state: which part it is, and how far the source had
 * been read.
 *
 * @throws SnapshotError `snapshot-foreign`, `snapshot-newer`, and `snapshot-damaged` where the header is.
 * @example describeSnapshot(engine.snapshot()).position // where the source goes on after a restore
 */
export function describeSnapshot(snapshot: Uint8Array): SnapshotDescription {
  const { id, parent, position, frontier, watermark, library } = readHeader(snapshot).header;
  return { id, parent: parent ?? undefined, base: parent === null, position: { events: position.events, offsets: new Map(position.offsets) }, frontier, watermark, library };
}
