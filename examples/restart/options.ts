import { Command, InvalidArgumentError } from 'commander';

export interface Options {
  /** How often the program is killed. */
  readonly kills: number;
  /** What the moments are drawn from. */
  readonly seed: number;
}

/** Reads the command line. `--help` ends the program with 0; what is not accepted is said on standard error and ends it with 2. */
export function readOptions(given: readonly string[]): Options {
  return new Command('npm run example:restart --')
    .description(
      'Replays 20,000 US flights in a program that is killed with SIGKILL at random moments, and each time started again from ' +
        'the checkpoint in its folder. The table that its rows make in the end is compared with that of a run in one piece.',
    )
    .option('--kills <n>', 'how often it is killed; a whole number from 0 to 100', upTo(100), 6)
    .option('--seed <n>', 'what the moments are drawn from; a whole number from 0 to 1,000,000', upTo(1_000_000), 1)
    .helpOption('--help', 'show this')
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse(given, { from: 'user' })
    .opts<Options>();
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!(/^\d+$/.test(text) && value <= most)) throw new InvalidArgumentError(`Accepted is a whole number from 0 to ${most.toLocaleString('en-US')}.`);
    return value;
  };
}
