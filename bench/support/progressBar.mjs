import process from 'node:process';
import cliProgress from 'cli-progress';

/** A bar on standard error where that is a terminal, else nothing. */
export function progressBar(steps) {
  if (!process.stderr.isTTY) return { step() {}, done() {} };
  const bar = new cliProgress.SingleBar({ format: '{bar} {value}/{total} {what}', stream: process.stderr, clearOnComplete: true, hideCursor: true }, cliProgress.Presets.shades_classic);
  bar.start(steps, 0, { what: '' });
  return { step: (what) => bar.increment({ what }), done: () => bar.stop() };
}
