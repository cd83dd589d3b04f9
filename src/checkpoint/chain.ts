import { SnapshotError } from '../errors.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import { ByteReader, damaged } from './byteReader.ts';
import { decode } from './codec.ts';
import { readEvents, type EventColumns } from './events.ts';
import { readKeySlice, type KeySlice } from './keySlice.ts';
import { SectionReader, type PartHeader } from './part.ts';
import { TimeMemory } from './timeColumn.ts';

/** What a base and the deltas after it say together: slices, of which a later one has the last word about a key. */
export interface Chain {
  /** Of the last part. */
  readonly header: PartHeader;
  readonly slices: readonly KeySlice[];
  readonly held: Held;
  /** Decoded, of a shape that whoever sealed it knows. */
  readonly globals: unknown;
}

/** Held events in order, each with the number of its key: one of its part, or after those one of `others`. */
interface Held {
  readonly others: readonly (readonly KeyPart[])[];
  readonly keys: Int32Array;
  readonly events: EventColumns;
}

/**
 * Reads a base and its deltas, in order.
 *
 * @throws SnapshotError where a part is damaged, foreign or newer, or does not go on from the one before it.
 */
export function readChain(parts: readonly unknown[]): Chain {
  const readers = parts.map((part) => new SectionReader(part));
  readers.forEach((reader, i) => checkLink(reader.header, readers[i - 1]?.header));
  // The slices of a base alone are read one after the other; those of a chain alternate, and each keeps its times.
  const one = new TimeMemory(), memory = (): TimeMemory => (readers.length === 1 ? one : new TimeMemory());
  const read = readers.map((reader) => {
    const slices = Array.from({ length: reader.header.slices }, () => readKeySlice(reader, memory()));
    return { slices, closing: readClosing(reader) };
  });
  const last = read.at(-1)!.closing, header = readers.at(-1)!.header;
  return { header, slices: read.flatMap(({ slices }) => slices), ...last };
}

function readClosing(reader: SectionReader): Pick<Chain, 'held' | 'globals'> {
  const others = decode(reader.section('otherKeys')) as KeyPart[][];
  const keyBytes = reader.section('heldKeys'), keyReader = new ByteReader(keyBytes), keys: number[] = [];
  while (keyReader.at < keyBytes.length) keys.push(keyReader.varint());
  const events = readEvents(reader, 'held', Int32Array.of(keys.length), new TimeMemory());
  const globals = decode(reader.section('globals'));
  if (reader.header.sections.length !== reader.taken) throw damaged('more sections than are known');
  return { held: { others, keys: Int32Array.from(keys), events }, globals };
}

function checkLink(header: PartHeader, before: PartHeader | undefined): void {
  const expected = before?.id ?? null;
  if (header.parent === expected && haveSameColumns(header, before ?? header)) return;
  throw new SnapshotError('snapshot-chain-broken', {
    expected: before === undefined ? 'a base first' : `the delta that goes on from ${before.id}`,
    given: header.parent === null ? `the base ${header.id}` : `${header.id}, which goes on from ${header.parent}`,
    remedy: 'Pass a base, then all deltas that were taken after it, in their order',
  });
}

/**
 * Whether one part can go on from the other: what is in other columns would be read as something else. Types may differ:
 * those of columns become known as time passes.
 */
export function haveSameColumns(one: Pick<PartHeader, 'plan' | 'layout'>, other: Pick<PartHeader, 'plan' | 'layout'>): boolean {
  const shape = ({ plan, layout: { numbers, cells, sums, states, fused, since, idle } }: Pick<PartHeader, 'plan' | 'layout'>): string =>
    JSON.stringify([plan, numbers, cells, sums, states, fused, since, idle]);
  return shape(one) === shape(other);
}
