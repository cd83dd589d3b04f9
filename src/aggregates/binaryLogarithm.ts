const cellBits = 8;
const cells = 1 << cellBits;
/** Of the 20 bits of a double's fraction that stand in its upper word, those below a cell. */
const rest = 20 - cellBits;

const double: Float64Array<ArrayBuffer> = /*#__PURE__*/ new Float64Array([1]);
const words: Int32Array<ArrayBuffer> = /*#__PURE__*/ new Int32Array(double.buffer);
/** Which word has the exponent: the processor decides. */
const upper: number = /*#__PURE__*/ words.indexOf(0x3ff00000);

/** The middles of the cells, 1 and 2 among them: their inverses, and their logarithms. */
const inverses: Float64Array<ArrayBuffer> = /*#__PURE__*/ Float64Array.from({ length: cells + 1 }, (_, i) => cells / (cells + i));
const logarithms: Float64Array<ArrayBuffer> = /*#__PURE__*/ Float64Array.from({ length: cells + 1 }, (_, i) => Math.log2((cells + i) / cells));

/** The series of log2(1 + r): for |r| below 2^-9 the next term is below 2^-46. */
const A = Math.LOG2E, B = -Math.LOG2E / 2, C = Math.LOG2E / 3, D = -Math.LOG2E / 4;

/**
 * The logarithm of a positive double, to 14 digits after the point, and exactly for powers of two.
 *
 * `Math.log2` is a call that takes three times as long, and may differ in its last digit from one JavaScript engine to the
 * next. Here the exponent is read off, the fraction is looked up, and what is left over from its cell is a short series.
 */
export function binaryLogarithm(value: number): number {
  double[0] = value;
  const high = words[upper]!, low = words[1 - upper]! >>> 0;
  if (high < 0x100000) return binaryLogarithm(value * 2 ** 54) - 54; // too small to have a leading 1
  const fraction = high & 0xfffff, cell = (fraction + (1 << (rest - 1))) >> rest;
  const r = ((fraction - (cell << rest)) * 2 ** -20 + low * 2 ** -52) * inverses[cell]!;
  return (high >> 20) - 1023 + logarithms[cell]! + ((A + r * B) * r + r * r * r * (C + r * D));
}
