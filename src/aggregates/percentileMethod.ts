import { RollingWindowError, shown } from '../errors.ts';
import { ddSketch } from './ddSketch.ts';
import type { PercentileSketch } from './percentileSketch.ts';

/** How close the answer must be: the reference's `accuracy` A, for a relative error of 1/A, or that error itself. */
export type PercentileAccuracy = number | { readonly relativeAccuracy: number };

/** How `approxPercentile` is to work: within an accuracy, or by a sketch that you bring. */
export type PercentileMethod = PercentileAccuracy | { readonly sketch: PercentileSketch };

const usual = 0.01;
/** Finer bins would take more memory than the values that they stand for. */
const finest = 0.001;
/** Coarse enough for an accuracy of 1, which allows an error of 100 %. */
const coarsest = 0.5;

/**
 * The sketch of a lifetime, and whether a bounded window is to have it, too, rather than the values themselves.
 *
 * @throws RollingWindowError `invalid-measure` for what is no accuracy and no sketch.
 */
export function checkedMethod(how: PercentileMethod | undefined): { readonly sketch: PercentileSketch; readonly inFrames: boolean } {
  if (how === undefined) return { sketch: ddSketch(usual), inFrames: false };
  if (typeof how === 'number') {
    if (!(how >= 1)) refuse(how);
    return { sketch: ddSketch(Math.min(Math.max(1 / how, finest), coarsest)), inFrames: false };
  }
  const { relativeAccuracy, sketch } = (how as { relativeAccuracy?: unknown; sketch?: unknown } | null) ?? {};
  if (sketch !== undefined) return { sketch: checkedSketch(sketch), inFrames: true };
  if (!isAccuracy(relativeAccuracy)) refuse(how);
  return { sketch: ddSketch(relativeAccuracy), inFrames: true };
}

const isAccuracy = (given: unknown): given is number => typeof given === 'number' && given >= finest && given < 1;

/**
 * A relative accuracy by itself.
 *
 * @throws RollingWindowError `invalid-measure` for what is none.
 */
export function checkedAccuracy(relativeAccuracy: unknown): number {
  if (isAccuracy(relativeAccuracy)) return relativeAccuracy;
  throw new RollingWindowError('invalid-measure', { expected: `a relativeAccuracy from ${finest} to below 1`, given: shown(relativeAccuracy) });
}

function checkedSketch(sketch: unknown): PercentileSketch {
  const given = (typeof sketch === 'object' ? (sketch ?? {}) : {}) as Readonly<Record<string, unknown>>;
  const methods = ['zero', 'add', 'merge', 'at', 'encode', 'decode'];
  const { name } = given;
  // Snapshots know a sketch by its name: another's state must not be read as ours.
  if (typeof name !== 'string' || name.startsWith('ddsketch ') || !methods.every((method) => typeof given[method] === 'function')) {
    throw new RollingWindowError('invalid-measure', { expected: `a sketch with a name of its own, ${methods.join(', ')}`, given: shown(sketch), remedy: 'For instance { sketch: datadogSketch() }' });
  }
  return given as unknown as PercentileSketch;
}

function refuse(how: unknown): never {
  throw new RollingWindowError('invalid-measure', {
    expected: `an accuracy from 1, { relativeAccuracy } from ${finest} to below 1, or { sketch }`,
    given: shown(how),
  });
}
