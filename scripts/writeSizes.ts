import { readFileSync, writeFileSync } from 'node:fs';
import { sizesIn, sizesText } from './sizes.ts';

const text = await sizesText();
writeFileSync('README.md', readFileSync('README.md', 'utf8').replace(sizesIn, () => text));
