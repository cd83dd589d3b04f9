import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright';
import { findChromium } from '../../scripts/surroundings.ts';

/** A browser for pages under test, which has its back-forward cache, and what they did wrong in it. */
export class PageBrowser {
  /** Whatever no page may do: errors that nobody caught, and listeners that keep it out of the back-forward cache. */
  readonly faults: string[] = [];
  private browser!: Browser;

  async start(): Promise<void> {
    const executablePath = findChromium();
    this.browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }

  /** A visitor with nothing saved. `patience`: milliseconds that an action may take. */
  async visitor(options: BrowserContextOptions, patience: number): Promise<BrowserContext> {
    const context = await this.browser.newContext(options);
    context.setDefaultTimeout(patience);
    context.on('weberror', (error) => this.faults.push(String(error.error())));
    await context.exposeFunction('fault', (fault: string) => void this.faults.push(fault));
    await context.addInitScript(() => {
      const listen = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (this: EventTarget, type: string, ...rest) {
        if (type === 'unload' || type === 'beforeunload') (globalThis as unknown as { fault(fault: string): void }).fault(`a listener to ${type}`);
        listen.call(this, type, ...rest);
      };
    });
    return context;
  }
}
