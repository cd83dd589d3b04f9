import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sizesIn, sizesText } from '../../scripts/sizes.ts';

test('the README says the sizes that are measured; else run `npm run sizes`', async () => {
  expect(sizesIn.exec(readFileSync('README.md', 'utf8'))?.[0]).toBe(await sizesText());
});
