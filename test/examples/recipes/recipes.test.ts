import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** A block of `docs/recipes.md` names its file: ```tsx react.tsx */
const blocks = Array.from(readFileSync('docs/recipes.md', 'utf8').matchAll(/^```tsx? (\S+)\n(.*?)^```$/gms), ([, file = '', code = '']) => ({ file, code }));

describe('docs/recipes.md', () => {
  test('has each recipe, once', () => {
    expect(blocks.map(({ file }) => file).sort()).toEqual(readdirSync('examples/recipes').sort());
  });

  test.each(blocks)('$file is the file that is compiled and tested', ({ file, code }) => {
    expect(code).toBe(readFileSync(`examples/recipes/${file}`, 'utf8'));
  });
});
