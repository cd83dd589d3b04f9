import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChain } from '../../src/checkpoint/chain.ts';
import { decode } from '../../src/checkpoint/codec.ts';
import { PartWriter, SectionReader } from '../../src/checkpoint/part.ts';
import { bytesAskedFor } from '../support/allocations.ts';
import { damages, lived, snapshot } from '../support/damages.ts';

test('the count of bytes counts', () => {
  expect(bytesAskedFor(() => [new Float64Array(10), new Uint8Array(3).slice(1), Array.from({ length: 2 })])).toBe(80 + 3 + 2 + 16);
  expect(bytesAskedFor(() => {
    lived(3);
    throw new Error('in the middle');
  })).toBeGreaterThan(1000);
});

test.each(damages)('%s: the refusal takes at most twice the memory of the bytes', (_, damage) => {
  const engine = lived(20);
  fc.assert(fc.property(damage, (bytes) => bytesAskedFor(() => engine.restore(bytes)) <= 2 * bytes.length), { numRuns: 1500 });
});

/** A snapshot of which one section was changed, and all checksums made right again, as no accident does. */
function forged(section: number, change: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  const reader = new SectionReader(snapshot), { header } = reader, writer = new PartWriter(snapshot.length, header.slices);
  header.sections.forEach(([name], i) => writer.add(name, i === section % header.sections.length ? change(reader.section(name)) : reader.section(name)));
  return writer.seal(header).bytes;
}

/** A double may stand in one byte of a column of times, and an undefined in one of cells: no more than that comes of a byte. */
test('not even forged bytes take more than they can fill', () => {
  const change = fc.tuple(fc.nat(200), fc.array(fc.oneof(fc.constantFrom(0xff, 0x7f, 9, 11, 12), fc.nat(255)), { minLength: 1, maxLength: 12, size: 'max' })).map(
    ([at, bytes]) => (section: Uint8Array): Uint8Array => Uint8Array.from([...section.subarray(0, at % (section.length + 1)), ...bytes, ...section.subarray((at % (section.length + 1)) + bytes.length)]),
  );
  const check = (section: number, changed: (bytes: Uint8Array) => Uint8Array): boolean => {
    const bytes = forged(section, changed);
    return bytesAskedFor(() => readChain([bytes])) <= 16 * bytes.length;
  };
  fc.assert(fc.property(fc.nat(100), change, check), { numRuns: 3000 });
});

test('lists that claim to hold lists of all the rest, and so on, ask for no more than they have', () => {
  const nested = Uint8Array.from({ length: 6000 }, (_, i) => [9, 0x80 | 100, 20][i % 3]!); // each of 2660 items
  expect(bytesAskedFor(() => decode(nested))).toBeLessThan(16 * nested.length);
});
