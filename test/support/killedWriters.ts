import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileStore } from 'rxjs-rolling-window/checkpoint/node';
import { build } from 'vite';
import { expect } from 'vitest';
import { numberedPart, partNumber } from './numberedPart.ts';
import { random } from './samples.ts';

/**
 * Starts a program that saves, kills it with SIGKILL in the middle of it, and looks at what it left; so many times, over one
 * folder. Gives how many saves were acknowledged in all.
 */
export async function killWriters(times: number): Promise<number> {
  const next = random(times);
  const root = await mkdtemp(join(tmpdir(), 'rolling-window-killed-'));
  try {
    const program = await built(root);
    const folder = join(root, 'state');
    let last = -1;
    for (let kill = 0; kill < times; kill++) {
      const acknowledged = await killed(program, folder, 40 * next());
      const { parts = [] } = (await fileStore(folder).load()) ?? {};
      const where = `kill ${kill}`;
      const saves = parts.map(partNumber);
      expect(saves.at(-1) ?? -1, `${where}: behind an acknowledged save`).toBeGreaterThanOrEqual(acknowledged);
      expect(saves.at(-1) ?? -1, `${where}: ahead of what was tried`).toBeLessThanOrEqual(Math.max(acknowledged, last) + 1);
      expect(saves, where).toEqual(saves.map((_, i) => saves[0]! + i));
      for (const [i, save] of saves.entries()) expect(Buffer.compare(parts[i]!, numberedPart(save)), `${where}: save ${save}`).toBe(0);
      expect((saves[0] ?? 0) % 5, `${where}: begins with a base`).toBe(0);
      // What one killed writer leaves, the next one sweeps.
      expect((await readdir(folder)).filter((name) => name.endsWith('.temporary')).length, where).toBeLessThanOrEqual(1);
      last = saves.at(-1) ?? -1;
    }
    return last + 1;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The program as plain JavaScript: it starts ten times as fast as from its sources. */
async function built(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: resolve('test/support/savingProgram.ts'), outDir: folder, emptyOutDir: false, target: 'node20', rolldownOptions: { output: { entryFileNames: 'program.mjs' } } },
  });
  return join(folder, 'program.mjs');
}

/** The last save that the program acknowledged before it was killed, so many milliseconds after its first. */
async function killed(program: string, folder: string, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed === '') setTimeout(() => child.kill('SIGKILL'), afterMs);
    printed += text;
  });
  const [, signal] = (await ended) as [unknown, unknown];
  expect(signal, 'the program ended by itself').toBe('SIGKILL');
  return Number(printed.trimEnd().split('\n').at(-1));
}
