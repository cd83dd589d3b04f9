// @ts-check
import process from 'node:process';

/** CPU time of this process in milliseconds, all its threads included: the collector's, the compiler's, a database's. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
