/**
 * Serves the page, and its signalling: Express serves the files, a WebSocket carries offer and answer.
 *
 * The server listens only on the address of its own network namespace. A browser must present the token of the open
 * trial; all other requests are refused. No message of a client may stop the server.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CoexistError, messageOf, systemCode } from '../../core/errors.ts';
import { pageApp } from '../pages/page-app.ts';
import { pages } from '../pages/page-file.ts';
import { maxMessageBytes, readClientMessage, type ServerMessage } from './messages.ts';

/** Callbacks for a browser that has presented the token. */
type SignalingHandler = {
  /** Returns the SDP answer to an offer. Throws an error whose message the server sends to the browser. */
  onOffer(sdp: string): Promise<string>;
  onBye(): void;
};

/** Longest time that a client may take to send its offer, ms. */
const idleMs = 30_000;
const maxClients = 16;
/**
 * Longest reason in a close frame, bytes: 123 (RFC 6455, 5.5) minus 2, because a character that is cut in half may grow
 * by 2.
 */
const maxCloseBytes = 121;

function sameToken(given: string, wanted: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}

export class SignalingServer {
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  #open: { token: string; handler: SignalingHandler } | undefined;
  url = '';

  private constructor() {
    this.#http = createServer(
      { maxHeaderSize: 16 * 1024, requestTimeout: 10_000, headersTimeout: 10_000 },
      pageApp(pages.clip),
    );
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#http.on('clientError', (_error, socket) => socket.destroy());
    this.#sockets.on('connection', socket => this.#converse(socket));
  }

  /** Starts a server on this address and port. Throws `port-taken` if another program uses the port. */
  static async listen(host: string, port: number): Promise<SignalingServer> {
    const server = new SignalingServer();
    await new Promise<void>((resolve, reject) => {
      server.#http.once('error', error => {
        reject(
          systemCode(error) === 'EADDRINUSE'
            ? new CoexistError('port-taken', `port ${port} on ${host} is taken`, {
                hint: 'choose another with --set service.port=PORT',
                cause: error,
              })
            : error,
        );
      });
      server.#http.listen(port, host, resolve);
    });
    const address = server.#http.address();
    server.url = `http://${host}:${typeof address === 'object' ? address?.port : port}/`;
    return server;
  }

  /** Admits the browser that presents the token, until `shut` is called. */
  admit(token: string, handler: SignalingHandler): void {
    this.#open = { token, handler };
  }

  shut(): void {
    this.#open = undefined;
    for (const client of this.#sockets.clients) client.terminate();
  }

  async close(): Promise<void> {
    this.shut();
    this.#http.closeAllConnections();
    await new Promise(resolve => this.#http.close(resolve));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = (status: string) => {
      socket.once('finish', () => socket.destroy()); // the client may keep its side open
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '', 'http://server');
    if (url?.pathname !== '/signal') return refuse('404 Not Found');
    if (this.#open === undefined || !sameToken(url.searchParams.get('token') ?? '', this.#open.token))
      return refuse('403 Forbidden');
    if (this.#sockets.clients.size >= maxClients) return refuse('503 Service Unavailable');
    this.#sockets.handleUpgrade(request, socket, head, client => this.#sockets.emit('connection', client, request));
  }

  #converse(socket: WebSocket): void {
    const handler = this.#open?.handler;
    const say = (message: ServerMessage) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    };
    const refuse = (reason: string) => {
      say({ type: 'error', message: reason });
      socket.close(1008, Buffer.from(reason).subarray(0, maxCloseBytes).toString());
    };
    let answered = false;
    const idle = setTimeout(() => {
      if (!answered) refuse('no offer came');
    }, idleMs);
    socket.on('error', () => socket.terminate()); // for example, a message was over the size limit
    socket.on('close', () => clearTimeout(idle));
    socket.on('message', async (data, isBinary) => {
      const message = readClientMessage(data as Buffer, isBinary);
      if (message.type === 'invalid') return refuse(message.reason);
      if (handler === undefined) return refuse('no trial is open');
      if (message.type === 'bye') return handler.onBye();
      if (answered) return refuse('one offer per connection');
      answered = true;
      try {
        say({ type: 'answer', sdp: await handler.onOffer(message.sdp) });
      } catch (error) {
        refuse(messageOf(error));
      }
    });
  }
}
