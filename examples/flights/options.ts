import { Command, InvalidArgumentError } from 'commander';

export interface Options {
  /** Seconds of the stream that pass in a second. */
  readonly speed: number;
  /** How many airports the table shows. */
  readonly airports: number;
  /** Rows instead of a table. */
  readonly plain: boolean;
}

const airportsOfOrigin = 220;

/** Reads the command line. `--help` ends the program with 0; what is not accepted is said on standard error and ends it with 2. */
export function readOptions(given: readonly string[]): Options {
  return (
    new Command('npm start --')
      .description(
        'Replays 20,000 US flights of 2001 through rollingWindow(): per airport of origin, over the last 24 hours, the ' +
          'last 7 days and since the start, the number of flights and their average, 95th percentile and worst delay in minutes.\n\n' +
          'On a terminal a live table, otherwise every row as a line of JSON.',
      )
      .option('--speed <n>', 'stream seconds per second, for the table; a number from 1 to 1,000,000,000', pace, 432_000)
      .option('--airports <n>', `how many of the busiest airports the table shows; a whole number from 1 to ${airportsOfOrigin}`, numberOfAirports, 12)
      .option('--plain', 'every row as a line of JSON, unpaced, also on a terminal', false)
      .helpOption('--help', 'show this')
      .showHelpAfterError()
      // A wrong use is 2 on a command line; commander's own choice is 1.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
      .parse(given, { from: 'user' })
      .opts<Options>()
  );
}

function pace(text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!(value >= 1 && value <= 1e9)) throw new InvalidArgumentError('Accepted is a number from 1 to 1,000,000,000.');
  return value;
}

function numberOfAirports(text: string): number {
  const value = Number(text);
  if (!(/^\d+$/.test(text) && value >= 1 && value <= airportsOfOrigin)) {
    throw new InvalidArgumentError(`Accepted is a whole number from 1 to ${airportsOfOrigin}.`);
  }
  return value;
}
