import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';

/** Where the page sends its rows. A real one would keep them; this one says that it got them. */
export function beaconReceiver(received: (body: string) => void = () => undefined): Plugin {
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received(body);
      response.writeHead(204).end();
    });
  };
  return {
    name: 'beacon-receiver',
    configureServer: ({ middlewares }) => void middlewares.use('/beacon', receive),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/beacon', receive),
  };
}
