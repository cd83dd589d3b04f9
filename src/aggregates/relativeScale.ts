import { binaryLogarithm } from './binaryLogarithm.ts';

/** Finer than promised by this much, so that roundings don't add up to more than was promised. */
const margin = 1 - 2 ** -30;

/**
 * Positive numbers as whole ones: all that have the same key are within the accuracy of that key's number.
 *
 * Key k stands for (g^(k-1), g^k], g = (1 + a) / (1 - a), and its number lies as far above the one end as below the other,
 * relatively: (1 + a) g^(k-1) = (1 - a) g^k. (Masson, Rim & Lee: DDSketch, VLDB 2019.)
 */
export class RelativeScale {
  readonly #accuracy: number;
  /** log g. */
  readonly #step: number;
  /** Keys in a factor of two. */
  readonly #perDoubling: number;

  /** `accuracy`: above 0 and below 1. */
  constructor(accuracy: number) {
    this.#accuracy = accuracy * margin;
    this.#step = Math.log1p((2 * this.#accuracy) / (1 - this.#accuracy));
    this.#perDoubling = Math.LN2 / this.#step;
  }

  keyOf(value: number): number {
    return Math.ceil(binaryLogarithm(value) * this.#perDoubling);
  }

  /** Within the range of doubles, which the last bins reach beyond. */
  numberOf(key: number): number {
    return Math.min(Math.max(Math.exp((key - 1) * this.#step) * (1 + this.#accuracy), Number.MIN_VALUE), Number.MAX_VALUE);
  }
}
