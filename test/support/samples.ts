/** Uniform numbers from 0 to below 1 that are the same in each run (mulberry32). */
export function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** What columns look like, by name: a number for each call. */
export const distributions: Readonly<Record<string, (next: () => number) => number>> = {
  uniform: (next) => 1000 * next(),
  lognormal: (next) => Math.exp(3 + 2 * normal(next)),
  bimodal: (next) => (next() < 0.7 ? 5 + next() : 4000 + 900 * normal(next)),
  constant: () => 42.5,
  negative: (next) => -Math.exp(2 * normal(next)),
  'of both signs': (next) => Math.round(20 * normal(next)) / 4,
  'of a huge range': (next) => (next() < 0.5 ? -1 : 1) * 10 ** (600 * next() - 300),
};

/** So many numbers of a distribution. */
export function sample(name: string, size: number, seed = 1): number[] {
  const next = random(seed), draw = distributions[name]!;
  return Array.from({ length: size }, () => draw(next) + 0);
}
