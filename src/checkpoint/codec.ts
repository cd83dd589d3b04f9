import { SnapshotError, shown } from '../errors.ts';
import { ByteReader, damaged } from './byteReader.ts';
import { ByteWriter } from './byteWriter.ts';

/*
 * Plain values as bytes, bit for bit: what JSON loses (NaN, -0, infinities, bigint, undefined, dates, lone surrogates, a
 * property called __proto__) comes back as it was. One byte says what follows:
 *
 *   0 null   1 undefined   2 false   3 true   4 double   5 small integer (varint)   6 bigint   7 string   8 Date
 *   9 array   10 object   11 doubles   12 32-bit integers
 *
 * Lengths are varints.
 */

/** The bytes of a plain value. */
export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const into = new ByteWriter();
  write(into, value);
  return into.written;
}

/** The same, in memory that is used again: valid until the next call with it. */
export function encodeInto(into: ByteWriter, value: unknown): Uint8Array<ArrayBuffer> {
  into.clear();
  write(into, value);
  return into.written;
}

/** The value of bytes that `encode` made. */
export function decode(bytes: Uint8Array): unknown {
  const from = new ByteReader(bytes), value = read(from);
  from.end();
  return value;
}

function write(into: ByteWriter, value: unknown): void {
  switch (typeof value) {
    case 'undefined':
      return into.byte(1);
    case 'boolean':
      return into.byte(value ? 3 : 2);
    case 'number':
      return writeNumber(into, value);
    case 'bigint':
      into.byte(6);
      return into.text(value.toString(36));
    case 'string':
      into.byte(7);
      return into.text(value);
    case 'object':
      return value === null ? into.byte(0) : writeObject(into, value);
    default:
      throw unsupported(value);
  }
}

function writeNumber(into: ByteWriter, value: number): void {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 28 && !Object.is(value, -0)) {
    into.byte(5);
    return into.varint(value);
  }
  into.byte(4);
  into.double(value);
}

function writeObject(into: ByteWriter, value: object): void {
  if (value instanceof Date) {
    into.byte(8);
    return into.double(value.getTime());
  }
  if (value instanceof Float64Array) {
    into.byte(11);
    into.varint(value.length);
    for (const item of value) into.double(item);
    return;
  }
  if (value instanceof Int32Array) {
    into.byte(12);
    into.varint(value.length);
    for (const item of value) into.varint(item >>> 0);
    return;
  }
  if (Array.isArray(value)) {
    into.byte(9);
    into.varint(value.length);
    for (const item of value) write(into, item);
    return;
  }
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) throw unsupported(value);
  into.byte(10);
  const entries = Object.entries(value);
  into.varint(entries.length);
  for (const [name, item] of entries) {
    into.text(name);
    write(into, item);
  }
}

function read(from: ByteReader): unknown {
  const kind = from.byte();
  switch (kind) {
    case 0:
      return null;
    case 1:
      return undefined;
    case 2:
      return false;
    case 3:
      return true;
    case 4:
      return from.double();
    case 5:
      return from.varint();
    case 6:
      return bigintOf(from.text());
    case 7:
      return from.text();
    case 8:
      return new Date(from.double());
    case 9:
      return readList(from);
    case 10:
      return readObject(from);
    case 11:
      return Float64Array.from({ length: from.count(8) }, () => from.double());
    case 12:
      return Int32Array.from({ length: from.count(1) }, () => from.varint());
    default:
      throw damaged(`a value of the unknown kind ${kind}`);
  }
}

/** Grows as it is read: room for all at once, in lists that each claim the rest of the bytes, would be their square. */
function readList(from: ByteReader): unknown[] {
  const list: unknown[] = [];
  for (let left = from.count(1); left > 0; left--) list.push(read(from));
  return list;
}

function readObject(from: ByteReader): object {
  const object: Record<string, unknown> = {};
  for (let left = from.count(2); left > 0; left--) {
    const name = from.text();
    // Not by assignment, which takes __proto__ for an order.
    Object.defineProperty(object, name, { value: read(from), enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function bigintOf(text: string): bigint {
  const negative = text.startsWith('-');
  let value = 0n;
  for (const digit of negative ? text.slice(1) : text) value = value * 36n + BigInt(parseInt(digit, 36));
  return negative ? -value : value;
}

function unsupported(value: unknown): SnapshotError {
  return new SnapshotError('snapshot-unsupported-value', {
    expected: 'numbers, strings, booleans, bigint, null, dates, arrays and plain objects in the state',
    given: shown(value),
    remedy: 'Give the aggregate, or the keyed state, encode and decode',
  });
}
