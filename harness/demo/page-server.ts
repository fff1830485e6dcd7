/**
 * Server of the page with controls and curves. It serves the files of the page, and a WebSocket for values and changes.
 *
 * The server listens on this machine's loopback only, and requires the token that is in the page's address.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type WebSocket, WebSocketServer } from 'ws';
import type { DemoMessage, DemoState, DemoValues } from '../../client/demo/wire.ts';
import { pageApp } from '../../server/pages/page-app.ts';
import { pages } from '../../server/pages/page-file.ts';
import { type Change, maxMessageBytes, readControlMessage } from './messages.ts';

const loopback = '127.0.0.1';
/** Number of last values that a page gets if it is opened later: the values of a minute. */
const keptValues = 240;
const maxClients = 8;

const require = createRequire(import.meta.url);
/** Files of the page that come from installed packages. */
const packageFiles = {
  '/uplot.js': require.resolve('uplot/dist/uPlot.iife.min.js'),
  '/uplot.css': require.resolve('uplot/dist/uPlot.min.css'),
};

export class PageServer {
  onChange: (change: Change) => void = () => {};
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #token = randomBytes(12).toString('hex');
  #state: DemoState | undefined;
  #values: DemoValues[] = [];
  #port = 0;

  private constructor() {
    this.#http = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, pageApp(pages.demo, packageFiles));
    this.#sockets = new WebSocketServer({
      server: this.#http,
      path: '/live',
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      verifyClient: ({ req }: { req: IncomingMessage }) => this.#admits(req),
    });
    this.#sockets.on('connection', socket => this.#converse(socket));
  }

  static async listen(): Promise<PageServer> {
    const server = new PageServer();
    await new Promise<void>((resolve, reject) => {
      server.#http.once('error', reject);
      server.#http.listen(0, loopback, resolve);
    });
    const address = server.#http.address();
    server.#port = typeof address === 'object' && address !== null ? address.port : 0;
    return server;
  }

  get url(): string {
    return `http://${loopback}:${this.#port}/?token=${this.#token}`;
  }

  tell(message: DemoMessage): void {
    if (message.type === 'state') this.#state = message;
    else this.#values = [...this.#values.slice(1 - keptValues), message];
    const text = JSON.stringify(message);
    for (const client of this.#sockets.clients) if (client.readyState === client.OPEN) client.send(text);
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#http.closeAllConnections();
    await new Promise(resolve => this.#http.close(resolve));
  }

  #admits(request: IncomingMessage): boolean {
    const token = URL.parse(request.url ?? '', 'http://page')?.searchParams.get('token');
    return token === this.#token && this.#sockets.clients.size < maxClients;
  }

  #converse(socket: WebSocket): void {
    socket.on('error', () => socket.terminate()); // an error is, for example, a message over the size limit
    if (this.#state !== undefined) socket.send(JSON.stringify(this.#state));
    for (const values of this.#values) socket.send(JSON.stringify(values));
    socket.on('message', (data, isBinary) => {
      const message = readControlMessage(data as Buffer, isBinary);
      if (message.type === 'invalid') socket.close(1008, message.reason.slice(0, 40));
      else this.onChange(message);
    });
  }
}
