import { SnapshotError, shown } from '../errors.ts';
import { crc32 } from './crc32.ts';
import { damaged, decode, encode } from './codec.ts';

/*
 * A snapshot:
 *
 *   R W S 1 | format version, 1 byte | state, encoded by codec.ts | CRC-32 of all before it, 4 bytes, little end first
 *
 * The state starts with the fingerprint of the plan. No code is ever read from a snapshot.
 */
const MAGIC = [0x52, 0x57, 0x53, 0x31];
const VERSION = 1;
const HEADER = MAGIC.length + 1;
const CHECKSUM = 4;

/** Seals a state, made with a plan of the given fingerprint. */
export function seal(fingerprint: object, state: unknown): Uint8Array {
  const body = encode([fingerprint, state]);
  const bytes = new Uint8Array(HEADER + body.length + CHECKSUM);
  bytes.set(MAGIC);
  bytes[MAGIC.length] = VERSION;
  bytes.set(body, HEADER);
  checksumOf(bytes).setUint32(0, crc32(bytes.subarray(0, -CHECKSUM)), true);
  return bytes;
}

/**
 * The state of a snapshot that was made with the same plan.
 *
 * @throws SnapshotError where the bytes are none of ours, of a later version, damaged, or of another plan.
 */
export function unseal(snapshot: Uint8Array, fingerprint: object): unknown {
  if (!(snapshot instanceof Uint8Array) || MAGIC.some((byte, i) => snapshot[i] !== byte)) {
    throw new SnapshotError('snapshot-foreign', { expected: 'the bytes of a snapshot', given: shown(snapshot), remedy: 'Pass what snapshot() returned' });
  }
  if (snapshot.length < HEADER + CHECKSUM) throw damaged(`${snapshot.length} bytes`);
  if (checksumOf(snapshot).getUint32(0, true) !== crc32(snapshot.subarray(0, -CHECKSUM))) throw damaged('a wrong checksum');
  const version = snapshot[MAGIC.length]!;
  if (version > VERSION) {
    throw new SnapshotError('snapshot-newer', { expected: `a snapshot of format ${VERSION} or older`, given: `format ${version}`, remedy: 'Update the library' });
  }
  const [madeWith, state] = decode(snapshot.subarray(HEADER, -CHECKSUM)) as [unknown, unknown];
  const now = JSON.stringify(fingerprint), then = JSON.stringify(madeWith);
  if (now !== then) {
    throw new SnapshotError('snapshot-plan-changed', { expected: `a snapshot of the plan ${now}`, given: `one of ${then}`, remedy: 'Start without the snapshot, or go back to its plan' });
  }
  return state;
}

const checksumOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset + bytes.length - CHECKSUM, CHECKSUM);
