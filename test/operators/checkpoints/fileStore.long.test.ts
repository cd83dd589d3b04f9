import { expect, test } from 'vitest';
import { killWriters } from '../../support/killedWriters.ts';

const kills = 500;
test(`the writer is killed ${kills} times: nothing is unreadable, nothing behind an acknowledged save`, { timeout: 1_800_000 }, async () => {
  expect(await killWriters(kills)).toBeGreaterThan(2 * kills);
});
