import { SnapshotError, shown } from '../errors.ts';
import { damaged } from './byteReader.ts';
import { ByteWriter } from './byteWriter.ts';
import { encodeInto } from './codec.ts';
import { crc32 } from './crc32.ts';
import { headerBytes, headerOf } from './headerText.ts';
import type { StateLayout } from './layout.ts';
import { PartBytes } from './partBytes.ts';
import type { PlanText } from './planText.ts';

/*
 * A part of a checkpoint: a base, which is the whole state, or a delta, which is what changed since the part before it.
 *
 *   R W S 1 | length of the header, 4 bytes | header, JSON | sections, end to end | CRC-32 of all up to the header's end
 *
 * The header has a checksum of each section, so that each can be computed when its section is done: nobody waits for a
 * sum over everything. Numbers have their little end first. No code is ever read from a part.
 *
 * Sections stand in slices, each the columns of some keys; a later slice has the last word about a key. After the last
 * slice comes what is not of one key.
 *
 *   slice    keys counts times number0.. cell0.. sums states rows answers idle removed
 *   closing  otherKeys heldKeys heldTimes heldNumber0.. heldCell0.. globals
 */
const MAGIC = [0x52, 0x57, 0x53, 0x31];
/** Later formats may change everything but the header's place, its checksum and this field. */
const FORMAT = 1;
const LENGTH = 4, CHECKSUM = 4, BEFORE = MAGIC.length + LENGTH;

export type Partition = string | number;
export type Offset = number | bigint | string;

/** What stands in a header before its sections are known. */
export interface PartInfo {
  readonly library: string;
  /** The part that this delta goes on from; null for a base. */
  readonly parent: string | null;
  readonly batch: number;
  readonly frontier: number;
  readonly watermark: number;
  readonly position: { readonly events: number; readonly offsets: readonly (readonly [Partition, Offset])[] };
  readonly plan: PlanText;
  readonly layout: StateLayout;
  readonly slices: number;
}

export interface PartHeader extends PartInfo {
  readonly format: number;
  readonly id: string;
  readonly sections: readonly (readonly [name: string, length: number, crc: number])[];
}

/** A header of usual length, and what each section adds to it. */
const HEADER_ROOM = 4096, ENTRY_ROOM = 40;
/** Copied within two milliseconds or so. */
const LARGE = 1 << 22;
/** What is to come after a part was settled: a few slices, and what is not of one key. A part in 16, and so many sections. */
const MORE = 4, MORE_SECTIONS = 64;
/** The memory of a part may be longer than the part by a seventh. */
const isNearly = (length: number, memory: number): boolean => length * 8 > memory * 7;

/**
 * Writes a part section by section, each with its checksum as it comes, while its bytes are still in the cache. The header
 * comes last and goes in front, where room is left for it: a large part is not copied once more.
 */
export class PartWriter {
  private readonly bytes: PartBytes;
  private readonly scratch = new ByteWriter();
  private readonly table: [name: string, length: number, crc: number][] = [];

  /**
   * `room`: how many bytes the sections may take, `sections`: how many there may be. Guesses, to which it adds what `settle`
   * asks for: each allocation of that size is a collection, too.
   */
  constructor(room: number, sections: number) {
    this.bytes = new PartBytes(frontFor(spacious(sections) + 4 * MORE_SECTIONS), Math.ceil(spacious(room)) + CHECKSUM);
  }

  add(name: string, bytes: Uint8Array): void {
    this.bytes.add(bytes);
    this.table.push([name, bytes.length, crc32(bytes)]);
  }

  addValue(name: string, value: unknown): void {
    this.add(name, encodeInto(this.scratch, value));
  }

  /**
   * Nearly all is there: brings a large part's memory to the length that it needs with a little more to come, a step each
   * call; else a seal may have to do it at one go. False where nothing is left to do.
   */
  settle(): boolean {
    const { bytes, table } = this;
    if (bytes.end < LARGE) return false;
    if (bytes.move()) return true;
    const front = frontFor(table.length + MORE_SECTIONS), more = bytes.end >> MORE;
    if (front <= bytes.start && bytes.room >= more / 2 && isNearly(bytes.end, bytes.end + bytes.room)) return false;
    bytes.resize(Math.max(front, bytes.start), more);
    return true;
  }

  /** The part is whole. Its id says what it holds: the same calls give the same id, others another one. */
  seal(info: PartInfo): { readonly id: string; readonly bytes: Uint8Array<ArrayBuffer> } {
    const nameless = headerBytes({ format: FORMAT, ...info, sections: this.table } satisfies Omit<PartHeader, 'id'>);
    const id = `${info.batch}-${info.position.events}-${crc32(nameless).toString(16).padStart(8, '0')}`;
    const header = withId(nameless, id), front = BEFORE + header.length, { bytes: content } = this;
    if (front > content.start || content.room < CHECKSUM) content.resize(Math.max(front, content.start), CHECKSUM);
    const bytes = content.whole().subarray(content.start - front, content.end + CHECKSUM);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    bytes.set(MAGIC);
    view.setUint32(MAGIC.length, header.length, true);
    bytes.set(header, BEFORE);
    view.setUint32(bytes.length - CHECKSUM, crc32(bytes.subarray(0, front)), true);
    return { id, bytes: isNearly(bytes.length, bytes.buffer.byteLength) ? bytes : bytes.slice() };
  }
}

const spacious = (guess: number): number => guess + guess / 2 ** MORE;
const frontFor = (sections: number): number => BEFORE + HEADER_ROOM + sections * ENTRY_ROOM;

/** The header with the id in front, which is of the bytes without it. */
function withId(nameless: Uint8Array, id: string): Uint8Array {
  const field = headerBytes({ id }), header = new Uint8Array(field.length + nameless.length - 1);
  header.set(field);
  header.set(nameless.subarray(1), field.length);
  header[field.length - 1] = ','.charCodeAt(0); // where its bracket was
  return header;
}

/** The header of a part, which is whole; of the sections only the lengths are looked at. */
export function readHeader(part: unknown): { readonly header: PartHeader; readonly start: number } {
  if (!(part instanceof Uint8Array) || MAGIC.some((byte, i) => part[i] !== byte)) {
    throw new SnapshotError('snapshot-foreign', { expected: 'the bytes of a snapshot', given: shown(part), remedy: 'Pass what snapshot() returned' });
  }
  if (part.length < BEFORE + CHECKSUM) throw damaged(`${part.length} bytes`);
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
  const start = BEFORE + view.getUint32(MAGIC.length, true);
  if (start > part.length - CHECKSUM) throw damaged(`${part.length} bytes, and a header that ends at ${start}`);
  if (view.getUint32(part.length - CHECKSUM, true) !== crc32(part.subarray(0, start))) throw damaged('a wrong checksum');
  const header = headerOf(part.subarray(BEFORE, start)) as PartHeader;
  if (header.format > FORMAT) {
    throw new SnapshotError('snapshot-newer', { expected: `a snapshot of format ${FORMAT} or older`, given: `format ${header.format}`, remedy: 'Update the library' });
  }
  const end = header.sections.reduce((sum, [, length]) => sum + length, start);
  if (end !== part.length - CHECKSUM) throw damaged(`${part.length - CHECKSUM - start} bytes of sections, of which ${end - start} were expected`);
  return { header, start };
}

/** Hands out the sections of a part in order, each checked as it is asked for by its name. */
export class SectionReader {
  readonly header: PartHeader;
  private readonly bytes: Uint8Array;
  private at: number;
  private next = 0;

  constructor(part: unknown) {
    const { header, start } = readHeader(part);
    const { buffer, byteOffset, byteLength } = part as Uint8Array;
    this.header = header;
    this.bytes = new Uint8Array(buffer, byteOffset, byteLength); // not a Buffer, whose methods do other things
    this.at = start;
  }

  /** How many were asked for. */
  get taken(): number {
    return this.next;
  }

  section(name: string): Uint8Array {
    const [found, length, crc] = this.header.sections[this.next++] ?? ['no section', 0];
    if (found !== name) throw damaged(`${found} where ${name} was expected`);
    const section = this.bytes.subarray(this.at, this.at + length);
    if (crc32(section) !== crc) throw damaged(`a wrong checksum of the section ${name}`);
    this.at += length;
    return section;
  }
}
