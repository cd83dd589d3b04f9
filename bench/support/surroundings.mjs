import os from 'node:os';
import process from 'node:process';

/** What a result has to be read with: where and when it was measured, and how busy the machine was. */
export function surroundings() {
  const cpus = os.cpus();
  return {
    machine: `${cpus[0]?.model.trim() ?? 'unknown'}, ${cpus.length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    system: `${os.platform()} ${os.arch()}`,
    date: new Date().toISOString().slice(0, 10),
    load: Number((os.loadavg()[0] ?? 0).toFixed(1)),
  };
}

/** One line, for people. */
export function described({ machine, node, system, date, load }) {
  return `${machine}, ${system}, Node ${node}, ${date}, load ${load}`;
}

/** A reason to mistrust absolute figures, if there is one. */
export function warning({ load }) {
  return load > os.cpus().length / 2 ? `The machine is busy (load ${load}): ratios hold, nanoseconds do not.` : undefined;
}
