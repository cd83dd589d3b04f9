import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import { entries } from './entries.ts';

/** Where the README has the sizes; they are written between the two comments. */
export const sizesIn = /(?<=<!-- npm run sizes -->\n).*?(?=<!-- end of sizes -->)/s;

/** What the README says of sizes, measured now. Needs a fresh build. */
export async function sizesText(): Promise<string> {
  // It fails where a limit is passed, and says the sizes all the same.
  const { stdout } = spawnSync('node_modules/.bin/size-limit', ['--json'], { encoding: 'utf8' });
  const sizes = JSON.parse(stdout) as { name: string; size: number }[];
  const rows = manifest['size-limit'].map(({ name, path, import: what }) => {
    const { size } = sizes.find((measured) => measured.name === name)!;
    return `| \`${entryOf(path)}\` | ${what === undefined ? 'all of it' : `\`${what.replace(/^\{ (.*) \}$/, '$1')}\``} | ${kilobytes(size)} |`;
  });
  const { windows, checkpoints, rest } = await shares(sizes[0]!.size);
  return `| import | what of it | kB, minified and gzipped |
|---|---|--:|
${rows.join('\n')}

Of the ${kilobytes(sizes[0]!.size)} kB of \`rollingWindow\` with one measure, windows that are exact take ${kilobytes(windows)}, checkpoints and snapshots ${kilobytes(checkpoints)}, the rest ${kilobytes(rest)}.
`;
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

const entryOf = (path: string): string => entries.find(({ output }) => path === `dist/${output}.js`)!.name;

/** How a size is shared among the folders that are bundled, in proportion to what each has before it is gzipped. */
async function shares(size: number): Promise<Record<'windows' | 'checkpoints' | 'rest', number>> {
  const { metafile } = await build({
    stdin: { contents: "export { rollingWindow, sum } from './dist/index.js'", resolveDir: process.cwd() },
    external: ['luxon', 'rxjs'],
    format: 'esm',
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const [{ inputs, bytes }] = Object.values(metafile.outputs) as [(typeof metafile.outputs)[string]];
  const share = (folder: RegExp): number => (size * Object.entries(inputs).reduce((sum, [file, { bytesInOutput }]) => sum + (folder.test(file) ? bytesInOutput : 0), 0)) / bytes;
  const windows = share(/^dist\/src\/windows\//), checkpoints = share(/^dist\/(src\/checkpoint|src\/atRest|operators\/checkpoints)\//);
  return { windows, checkpoints, rest: size - windows - checkpoints };
}
