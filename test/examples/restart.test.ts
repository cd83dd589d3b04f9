import { describe, expect, test } from 'vitest';
import { run } from '../support/runExample.ts';

const main = 'examples/restart/main.ts';

describe('npm run example:restart', { timeout: 60_000 }, () => {
  test('ends with the table of a run in one piece, although the program was killed, and says how far it was each time', async () => {
    const { code, stdout, stderr } = await run(main, '--kills', '3', '--seed', '5');
    const [whole = [], killed = []] = stdout.trimEnd().split('\n').map((line) => line.split(/ {2,}/));

    expect(code, stderr).toBe(0);
    expect(whole).toEqual(['in one piece', '220 airports', expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(killed).toEqual(['killed   3 times'.split(/ {2,}/), '220 airports', whole[2]].flat());
    expect(stderr.match(/^killed at flight \d+$/gm)).toHaveLength(3);
    // It goes on from a checkpoint, not from the beginning, and from none that is ahead of it.
    const begins = Array.from(stderr.matchAll(/^begins after flight (\d+)$/gm), ([, at]) => Number(at));
    const kills = Array.from(stderr.matchAll(/^killed at flight (\d+)$/gm), ([, at]) => Number(at));
    expect(begins).toHaveLength(4);
    expect(begins.at(-1)).toBeGreaterThan(0);
    kills.forEach((at, i) => expect(begins[i + 1]).toBeLessThanOrEqual(at + 50));
  });

  test('explains itself, and ends with 2 where it is used wrongly', async () => {
    const [help, wrong] = await Promise.all([run(main, '--help'), run(main, '--kills', 'x')]);

    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--kills <n>');
    expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('a whole number from 0 to 100');
  });
});
