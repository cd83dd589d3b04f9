// @ts-check
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * CPU time of the main thread in milliseconds, as Linux keeps it: other threads, the worker's and the collector's, are
 * not in it. It is brought up to date when the thread sleeps, so it is to be read just after a sleep.
 */
export function threadCpuMs() {
  const [running] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(running) / 1e6;
}
