import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright';
import { build, defaultClientConditions, type Rolldown } from 'vite';
import { PageBrowser } from './pageBrowser.ts';

/** A program as the only script of a page, built from the sources and served, and a browser for it. */
export class ServedPage {
  private readonly browser = new PageBrowser();
  private readonly program: string;
  private readonly body: string;
  private server!: Server;

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
    await this.browser.start();
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/`;
  }

  get faults(): string[] {
    return this.browser.faults;
  }

  /** A visitor with nothing saved. */
  async visitor(): Promise<BrowserContext> {
    return this.browser.visitor({ viewport: { width: 800, height: 600 } }, 20_000);
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
