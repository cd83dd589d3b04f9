import process from 'node:process';

/** `| head` closes the pipe when it has enough, and that is no error. */
export function endWithClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
