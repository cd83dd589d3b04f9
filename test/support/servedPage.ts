import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { build, defaultClientConditions, type Rolldown } from 'vite';
import { findChromium } from '../../scripts/surroundings.ts';

/** A program as the only script of a page, built from the sources and served, and a browser for it, which has its back-forward cache. */
export class ServedPage {
  /** Whatever no page may do: errors that nobody caught, and listeners that keep it out of the back-forward cache. */
  readonly faults: string[] = [];
  private readonly program: string;
  private readonly body: string;
  private server!: Server;
  private browser!: Browser;

  /** @param program The file, from the repository's root. */
  constructor(program: string, body = '') {
    this.program = program;
    this.body = body;
  }

  async start(): Promise<void> {
    const script = await built(this.program);
    const page = `<!doctype html><link rel="icon" href="data:,"><body>${this.body}</body>`;
    this.server = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : request.url === '/elsewhere' ? page : `${page}<script type="module" src="/page.js"></script>`);
    });
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    const executablePath = findChromium();
    this.browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/`;
  }

  /** A visitor with nothing saved. */
  async visitor(): Promise<BrowserContext> {
    const context = await this.browser.newContext({ viewport: { width: 800, height: 600 } });
    context.setDefaultTimeout(20_000);
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

async function built(program: string): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['rolling-window-source', ...defaultClientConditions] },
    build: { write: false, minify: false, target: 'es2022', lib: { entry: program, formats: ['es'] } },
  })) as Rolldown.RolldownOutput[];
  return result[0]!.output[0].code;
}
