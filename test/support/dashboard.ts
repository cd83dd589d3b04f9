import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { build, preview, type InlineConfig, type Plugin, type PreviewServer } from 'vite';
import { beaconReceiver } from '../../examples/dashboard/beaconReceiver.ts';
import config from '../../examples/dashboard/vite.config.ts';
import { PageBrowser } from './pageBrowser.ts';

const outDir = `${process.cwd()}/.cache/dashboard-test-${String(process.pid)}`;

/** Another page, to go to and come back from. */
const elsewhere: Plugin = {
  name: 'elsewhere',
  configurePreviewServer: ({ middlewares }) => void middlewares.use('/elsewhere', (_, response) => void response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><p>elsewhere')),
};

/** The telemetry page, built and served, and a browser for it. */
export class Dashboard {
  /** What beacons brought, oldest first. */
  readonly beacons: string[] = [];
  private readonly browser = new PageBrowser();
  private server!: PreviewServer;

  async start(): Promise<void> {
    const ours: InlineConfig = { ...config, configFile: false, logLevel: 'warn', build: { ...config.build, outDir }, plugins: [beaconReceiver((body) => this.beacons.push(body)), elsewhere] };
    await build(ours);
    this.server = await preview({ ...ours, preview: { host: '127.0.0.1', port: 0 } });
    await this.browser.start();
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    await new Promise((closed) => this.server.httpServer.close(closed));
    rmSync(outDir, { recursive: true, force: true });
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.server.httpServer.address() as AddressInfo).port)}/`;
  }

  /** Whatever no page may do: errors in its console, and listeners that keep it out of the back-forward cache. */
  get faults(): string[] {
    return this.browser.faults;
  }

  /** A visitor with nothing saved. */
  async visitor(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.visitor({ viewport: { width: 1100, height: 900 }, timezoneId: 'UTC', ...options }, 10_000);
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.browser.faults.push(message.text());
    });
    return context;
  }

  /** A visitor whose machine can be sent to sleep by `sleep(page, ms)`: its page's time goes on by a leap. */
  async sleeper(): Promise<BrowserContext> {
    const context = await this.visitor();
    await context.addInitScript(() => {
      let slept = 0;
      const now = performance.now.bind(performance), ask = requestAnimationFrame;
      performance.now = () => now() + slept;
      globalThis.requestAnimationFrame = (frame) => ask((instant) => frame(instant + slept));
      addEventListener('sleep', (event) => (slept += (event as CustomEvent<number>).detail));
    });
    return context;
  }

  /** A tab in which rows have come. */
  async open(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(this.address);
    await rowOf(page, 'frame /').waitFor();
    return page;
  }
}

export const sleep = (page: Page, milliseconds: number): Promise<boolean> => page.evaluate((detail) => dispatchEvent(new CustomEvent('sleep', { detail })), milliseconds);

/** The row of a kind and route. */
export const rowOf = (page: Page, name: string): Locator => page.locator('#routes').getByRole('row', { name: new RegExp(`^${name} `) });

/** Its number in a column: 1 count, 2 a second, 3 p50, 4 p95, 5 p99, 6 the largest. NaN where the row or the number is missing. */
export async function numberOf(page: Page, name: string, column: number): Promise<number> {
  const row = rowOf(page, name);
  if ((await row.count()) === 0) return NaN;
  const text = await row.locator('th, td').nth(column).textContent();
  return Number(text?.replaceAll(',', '').replace('–', 'NaN'));
}

/** A field of the line of the state. */
export const statusOf = async (page: Page, field: string): Promise<string> => (await page.locator(`#status-${field}`).textContent()) ?? '';

/** Waits until what has come so far is saved. */
export async function saved(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const time = new Date(performance.timeOrigin + performance.now()).toISOString().slice(11, 21);
    const shown = document.getElementById('status-saved')!;
    while (!/\d/.test(shown.textContent) || shown.textContent <= time) await new Promise((frame) => requestAnimationFrame(frame));
  });
}
