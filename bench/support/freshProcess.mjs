import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('../tasks/index.mjs', import.meta.url));

/**
 * Runs one task of `tasks/` in a process of its own: no code warmed by another, no heap but its own.
 *
 * @param {string} name
 * @param {object} task
 * @param {number} seconds After which it is stopped.
 * @returns {Promise<any>} What the task gives; `{ failed }` with the reason where it gives nothing.
 */
export function inFreshProcess(name, task, seconds) {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, ['--expose-gc', child, name, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'], timeout: seconds * 1000, killSignal: 'SIGKILL' });
    let output = '';
    let complaint = '';
    running.stdout.on('data', (text) => (output += text));
    running.stderr.on('data', (text) => (complaint += text));
    running.on('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(output));
      else if (signal === 'SIGKILL') resolve({ failed: `stopped after ${seconds} s` });
      else resolve({ failed: reason(complaint) ?? `ended with ${code ?? signal}` });
    });
  });
}

function reason(complaint) {
  if (complaint.includes('heap out of memory')) return 'out of memory';
  return complaint.split('\n').find((line) => line.includes('Error'));
}
