import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIBRARY_VERSION } from '../../src/checkpoint/version.ts';

test('snapshots tell the version in package.json', () => {
  expect(LIBRARY_VERSION).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
});
