import { SnapshotError, shown } from '../errors.ts';

/*
 * Plain values as bytes, bit for bit: what JSON loses (NaN, -0, infinities, bigint, undefined, dates, lone surrogates, a
 * property called __proto__) comes back as it was. One byte says what follows:
 *
 *   0 null   1 undefined   2 false   3 true   4 double   5 small integer (varint)   6 bigint   7 string   8 Date
 *   9 array   10 object   11 doubles   12 32-bit integers
 *
 * Lengths are varints. Strings are UTF-16 code units as varints: one byte for each ASCII character.
 */

/** The bytes of a plain value. */
export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writer.value(value);
  return writer.bytes.slice(0, writer.length);
}

/** The value of bytes that `encode` made. */
export function decode(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const value = reader.value();
  if (reader.at !== bytes.length) throw damaged(`${bytes.length - reader.at} bytes after the end`);
  return value;
}

export function damaged(given: string): SnapshotError {
  return new SnapshotError('snapshot-damaged', { expected: 'a whole snapshot', given, remedy: 'Restore an older one, or start without' });
}

class Writer {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
  length = 0;
  private view = new DataView(this.bytes.buffer);

  value(value: unknown): void {
    switch (typeof value) {
      case 'undefined':
        return this.byte(1);
      case 'boolean':
        return this.byte(value ? 3 : 2);
      case 'number':
        return this.number(value);
      case 'bigint':
        this.byte(6);
        return this.text(value.toString(36));
      case 'string':
        this.byte(7);
        return this.text(value);
      case 'object':
        return value === null ? this.byte(0) : this.object(value);
      default:
        throw unsupported(value);
    }
  }

  private number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 28 && !Object.is(value, -0)) {
      this.byte(5);
      return this.varint(value);
    }
    this.byte(4);
    this.double(value);
  }

  private object(value: object): void {
    if (value instanceof Date) {
      this.byte(8);
      return this.double(value.getTime());
    }
    if (value instanceof Float64Array) {
      this.byte(11);
      this.varint(value.length);
      for (const item of value) this.double(item);
      return;
    }
    if (value instanceof Int32Array) {
      this.byte(12);
      this.varint(value.length);
      for (const item of value) this.varint(item >>> 0);
      return;
    }
    if (Array.isArray(value)) {
      this.byte(9);
      this.varint(value.length);
      for (const item of value) this.value(item);
      return;
    }
    const prototype = Object.getPrototypeOf(value) as unknown;
    if (prototype !== Object.prototype && prototype !== null) throw unsupported(value);
    this.byte(10);
    const entries = Object.entries(value);
    this.varint(entries.length);
    for (const [name, item] of entries) {
      this.text(name);
      this.value(item);
    }
  }

  private byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  private double(value: number): void {
    this.reserve(8);
    // There are many NaNs, and arithmetic gives now this one, now that; the same state must give the same bytes.
    this.view.setFloat64(this.length, value === value ? value : NaN, true);
    this.length += 8;
  }

  private varint(value: number): void {
    this.reserve(5);
    for (; value > 127; value >>>= 7) this.bytes[this.length++] = (value & 127) | 128;
    this.bytes[this.length++] = value;
  }

  private text(text: string): void {
    this.varint(text.length);
    for (let i = 0; i < text.length; i++) this.varint(text.charCodeAt(i));
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const bigger = new Uint8Array(Math.max(this.length + count, this.bytes.length * 2));
    bigger.set(this.bytes);
    this.bytes = bigger;
    this.view = new DataView(bigger.buffer);
  }
}

class Reader {
  at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(): unknown {
    const kind = this.byte();
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
        return this.double();
      case 5:
        return this.varint();
      case 6:
        return bigintOf(this.text());
      case 7:
        return this.text();
      case 8:
        return new Date(this.double());
      case 9:
        return Array.from({ length: this.count(1) }, () => this.value());
      case 10:
        return this.object();
      case 11:
        return Float64Array.from({ length: this.count(8) }, () => this.double());
      case 12:
        return Int32Array.from({ length: this.count(1) }, () => this.varint());
      default:
        throw damaged(`a value of the unknown kind ${kind}`);
    }
  }

  private object(): object {
    const object: Record<string, unknown> = {};
    for (let left = this.count(2); left > 0; left--) {
      const name = this.text();
      // Not by assignment, which takes __proto__ for an order.
      Object.defineProperty(object, name, { value: this.value(), enumerable: true, writable: true, configurable: true });
    }
    return object;
  }

  private byte(): number {
    if (this.at >= this.bytes.length) throw damaged('an early end');
    return this.bytes[this.at++]!;
  }

  private double(): number {
    if (this.at + 8 > this.bytes.length) throw damaged('an early end');
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  private varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw damaged('an integer without an end');
  }

  /** A number of items, each of which takes at least `size` bytes: never more than there can be. */
  private count(size: number): number {
    const count = this.varint();
    if (count * size > this.bytes.length - this.at) throw damaged(`${count} items where ${this.bytes.length - this.at} bytes are left`);
    return count;
  }

  private text(): string {
    let text = '';
    for (let left = this.count(1); left > 0; left--) text += String.fromCharCode(this.varint());
    return text;
  }
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
