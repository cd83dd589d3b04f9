// @ts-check
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** The variable that tells processes started from here which build to measure. */
export const distVariable = 'BENCH_DIST';

/**
 * A file of the build that is measured: `dist`, as users get it, or what `--dist` names.
 *
 * @param {string} file
 */
export function built(file) {
  const named = process.env[distVariable];
  const folder = named === undefined ? new URL('../../dist/', import.meta.url) : pathToFileURL(`${resolve(named)}/`);
  return import(new URL(file, folder).href);
}
