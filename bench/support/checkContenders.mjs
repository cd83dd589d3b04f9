import { inFreshProcess } from './freshProcess.mjs';

/**
 * Compares each contender with the oracle, for each set of measures.
 *
 * @returns {Promise<{ name: string, set: string, compared?: number, skipped?: string, wrong?: unknown, failed?: string }[]>}
 */
export async function checkContenders(names, sets, step) {
  const checks = [];
  for (const name of names) {
    for (const set of sets) {
      step(`${name} against the oracle, set ${set}`);
      checks.push({ name, set, ...(await inFreshProcess('check', { name, set }, 60)) });
    }
  }
  return checks;
}

/** What is wrong with a contender's answers, if something is. */
export function complaint({ name, set, wrong, failed }) {
  if (failed) return `${name}, set ${set}: ${failed}`;
  return wrong && `${name}, set ${set}: of ${wrong.key} at ${wrong.frontier} the row is [${wrong.given.join(', ')}], the oracle says [${wrong.expected.join(', ')}]`;
}
