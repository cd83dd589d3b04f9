import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sizesIn, sizesText } from '../../scripts/sizes.ts';

const number = /\d+\.\d/g;

test('the README says the sizes that are measured, give or take what another gzip makes of them; else run `npm run sizes`', async () => {
  const said = sizesIn.exec(readFileSync('README.md', 'utf8'))?.[0] ?? '', measured = await sizesText();
  expect(said.replace(number, '')).toBe(measured.replace(number, ''));
  const sizes = measured.match(number)!.map(Number);
  said.match(number)!.forEach((size, i) => expect(Math.abs(Number(size) - sizes[i]!), `${size} where ${sizes[i]!} was measured`).toBeLessThan(0.25));
});
