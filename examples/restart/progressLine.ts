import type { WriteStream } from 'node:tty';
import cliProgress from 'cli-progress';
import { createLogUpdate } from 'log-update';
import pc from 'picocolors';

export interface ProgressLine {
  /** A program begins after so many flights. */
  started(from: number): void;
  moved(at: number): void;
  killed(): void;
  done(): void;
}

/** A bar on a terminal; elsewhere a line each time the program begins and ends. */
export function progressOn(screen: WriteStream, total: number): ProgressLine {
  let at = 0;
  let kills = 0;
  if (!screen.isTTY) {
    return {
      started: (from) => screen.write(`begins after flight ${from}\n`),
      moved: (to) => (at = to),
      killed: () => screen.write(`killed at flight ${at}\n`),
      done: () => screen.write('done\n'),
    };
  }
  const draw = createLogUpdate(screen);
  const redraw = (): void => {
    const barsize = Math.max(Math.min(screen.columns, 80) - 30, 1);
    const bar = cliProgress.Format.BarFormat(at / total, { barsize, barCompleteString: '█'.repeat(barsize), barIncompleteString: '░'.repeat(barsize), barGlue: '' });
    draw(`${pc.cyan(bar)} ${at.toLocaleString('en-US')} flights, ${pc.red(`killed ${kills} times`)}`);
  };
  const show = (to: number): void => {
    at = to;
    redraw();
  };
  return {
    started: show,
    moved: show,
    killed() {
      kills += 1;
      redraw();
    },
    done() {
      show(total);
      draw.done();
    },
  };
}
