import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { beaconReceiver } from './beaconReceiver.ts';

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `npm run dashboard` builds the page from the library's sources, and serves what it built: it measures itself as visitors would have it. */
export default defineConfig({
  root: fromHere('.'),
  base: './',
  cacheDir: fromHere('../../.cache/vite-dashboard'),
  resolve: { conditions: ['rolling-window-source', ...defaultClientConditions] },
  build: { outDir: fromHere('../../.cache/dashboard'), emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1000 },
  preview: { host: 'localhost', port: 4173 },
  plugins: [beaconReceiver()],
});
