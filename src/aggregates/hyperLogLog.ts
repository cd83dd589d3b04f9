/**
 * What a HyperLogLog (Flajolet, Fusy, Gandouet & Meunier 2007) does with hashes of 64 bits: the first half picks one of
 * 2^precision registers, the leading zeros of the second give the rank, and a register holds the largest rank that it met.
 */
const RANK_BITS = 32;
/** Ranks go from 1 to here; 0 is an empty register. */
export const LARGEST_RANK: number = RANK_BITS + 1;

/**
 * Powers of two: 256 registers, since with a few dozen the estimate is some percent too large, to 4 million, beyond which
 * exact counts would be cheaper.
 */
const FEWEST = 8, MOST = 22;

/** The standard error of an estimate from that many registers. */
const errorOf = (precision: number): number => 1.04 / Math.sqrt(2 ** precision);

/** The smallest rsd that can be had. */
export const smallestError: number = /*#__PURE__*/ errorOf(MOST);

/** The fewest registers whose standard error is at most `rsd`, as a power of two. */
export function precisionFor(rsd: number): number {
  let precision = FEWEST;
  while (errorOf(precision) > rsd) precision++;
  return precision;
}

export const registerOf = (high: number, precision: number): number => high >>> (32 - precision);
export const rankOf = (low: number): number => Math.clz32(low) + 1;

/**
 * How many distinct hashes there were, from how many registers hold each rank (Ertl 2017, the improved raw estimator):
 * without bias from the first value to beyond 2^32, where the raw estimate needs tables or another formula for small counts.
 */
export function estimate(registersByRank: ArrayLike<number>, registers: number): number {
  let z = registers * tau(1 - registersByRank[LARGEST_RANK]! / registers);
  for (let rank = RANK_BITS; rank >= 1; rank--) z = (z + registersByRank[rank]!) / 2;
  z += registers * sigma(registersByRank[0]! / registers);
  return (registers * registers) / (2 * Math.LN2 * z);
}

/** x + sum of x^(2^k) * 2^(k - 1) over k from 1: what empty registers are worth. */
function sigma(x: number): number {
  if (x === 1) return Infinity;
  let sum = x;
  for (let weight = 1, before = NaN; sum !== before; weight *= 2) {
    x *= x;
    before = sum;
    sum += x * weight;
  }
  return sum;
}

/** (1 - x - sum of (1 - x^(2^-k))^2 * 2^-k over k from 1) / 3: what full registers are worth. */
function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let sum = 1 - x;
  for (let weight = 0.5, before = NaN; sum !== before; weight /= 2) {
    x = Math.sqrt(x);
    before = sum;
    sum -= (1 - x) ** 2 * weight;
  }
  return sum / 3;
}
