import { SnapshotError, shown } from '../errors.ts';
import { damaged } from './byteReader.ts';
import { decode, encode } from './codec.ts';
import { crc32 } from './crc32.ts';

/*
 * A sealed state:
 *
 *   magic, 4 bytes | format version, 1 byte | [fingerprint, state], encoded by codec.ts | CRC-32 of all before it, 4 bytes, little end first
 *
 * No code is ever read from one.
 */
const MAGIC = 4;
const HEADER = MAGIC + 1;
const CHECKSUM = 4;

/** What is sealed, and how: each kind has a magic of its own, so that one is never taken for another. */
export interface SealKind {
  /** Four ASCII characters. */
  readonly magic: string;
  readonly version: number;
}

/** Seals a state, made with a configuration of the given fingerprint. */
export function sealAs({ magic, version }: SealKind, fingerprint: object, state: unknown): Uint8Array<ArrayBuffer> {
  const body = encode([fingerprint, state]);
  const bytes = new Uint8Array(HEADER + body.length + CHECKSUM);
  for (let i = 0; i < MAGIC; i++) bytes[i] = magic.charCodeAt(i);
  bytes[MAGIC] = version;
  bytes.set(body, HEADER);
  checksumOf(bytes).setUint32(0, crc32(bytes.subarray(0, -CHECKSUM)), true);
  return bytes;
}

/**
 * The state in sealed bytes of this kind, made with the same configuration.
 *
 * @throws SnapshotError where the bytes are of no such kind, of a later version, damaged, or of another configuration.
 */
export function unsealAs({ magic, version }: SealKind, bytes: Uint8Array, fingerprint: object): unknown {
  if (!(bytes instanceof Uint8Array) || String.fromCharCode(...bytes.subarray(0, MAGIC)) !== magic) {
    throw new SnapshotError('snapshot-foreign', { expected: 'the bytes of such a snapshot', given: shown(bytes), remedy: 'Pass what snapshot() returned' });
  }
  if (bytes.length < HEADER + CHECKSUM) throw damaged(`${bytes.length} bytes`);
  if (checksumOf(bytes).getUint32(0, true) !== crc32(bytes.subarray(0, -CHECKSUM))) throw damaged('a wrong checksum');
  const written = bytes[MAGIC]!;
  if (written > version) {
    throw new SnapshotError('snapshot-newer', { expected: `a snapshot of format ${version} or older`, given: `format ${written}`, remedy: 'Update the library' });
  }
  const [madeWith, state] = decode(bytes.subarray(HEADER, -CHECKSUM)) as [unknown, unknown];
  const now = JSON.stringify(fingerprint), then = JSON.stringify(madeWith);
  if (now !== then) {
    throw new SnapshotError('snapshot-plan-changed', { expected: `a snapshot made with ${now}`, given: `one made with ${then}`, remedy: 'Start without the snapshot, or go back to its configuration' });
  }
  return state;
}

const checksumOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset + bytes.length - CHECKSUM, CHECKSUM);
