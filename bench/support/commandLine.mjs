import process from 'node:process';
import { Command, InvalidArgumentError } from 'commander';
import { distVariable } from './builtPackage.mjs';

/**
 * What all benchmarks take. `--help` ends the program with 0; what is not accepted is said on standard error and ends it
 * with 2.
 *
 * @param {string} script
 * @param {string} description
 */
export function commandLine(script, description) {
  return new Command(`npm run ${script} --`)
    .description(description)
    .option('--json', 'results as JSON on standard output, and nothing else there', false)
    .option('--dist <folder>', 'the build to measure, instead of dist')
    .helpOption('--help', 'show this')
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .on('option:dist', (folder) => (process.env[distVariable] = folder));
}

/** Reads a positive number. */
export function positive(text) {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!(value > 0 && value < Infinity)) throw new InvalidArgumentError('Accepted is a positive number.');
  return value;
}

/** Reads a whole number from 1. */
export function whole(text) {
  const value = positive(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('Accepted is a whole number from 1.');
  return value;
}

/**
 * Reads an option that may be given several times, or once with commas.
 *
 * @param {(text: string) => any} read
 */
export function severalOf(read) {
  return (text, earlier = []) => [...earlier, ...text.split(',').map((part) => read(part.trim()))];
}

/**
 * @param {readonly string[]} accepted
 */
export function oneOf(accepted) {
  return (text) => {
    if (!accepted.includes(text)) throw new InvalidArgumentError(`Accepted is ${accepted.join(', ')}.`);
    return text;
  };
}
