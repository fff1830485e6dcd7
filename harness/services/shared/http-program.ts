/**
 * Shared part of the services' server programs. Serves pages and content by HTTP/1.1 or HTTP/2 on one or more ports.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { Server } from 'node:net';
import { selfSigned } from '../../../core/system/self-signed.ts';
import { readPageFile } from '../../../server/pages/page-file.ts';
import { pieceBytes } from './incompressible.ts';
import type { TokenBucket } from './token-bucket.ts';

/**
 * Addresses of a server program. `secure`: true for HTTP/2 over TLS (browsers do not support HTTP/2 without TLS), false
 * for HTTP/1.1 without TLS.
 */
export type HttpConfig = { host: string; firstPort: number; ports: number; secure: boolean };

/** Answers a request; returns false if nothing is served at this URL. */
type Handler = (url: URL, response: ServerResponse) => boolean;

/** Headers of all responses: no caching, and every page may read contents and timing. */
const headers = { 'cache-control': 'no-store', 'access-control-allow-origin': '*', 'timing-allow-origin': '*' };

/** Size of a piece under a rate limit, bytes. It is smaller than other pieces, so that the rate is even. */
const cappedPieceBytes = 1 << 14;

/**
 * Serves `pages` (URL path to file in client/) and the answers of `handle`. Prints "listening" when every port is open.
 */
export async function serve(
  { host, firstPort, ports, secure }: HttpConfig,
  pages: Readonly<Record<string, string>>,
  handle: Handler,
): Promise<void> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => {}); // the client is gone and needs no answer
    const url = new URL(request.url ?? '/', 'http://service.test');
    const file = pages[url.pathname];
    if (file !== undefined) {
      const { body, type } = await readPageFile(file);
      send(response, type, body);
    } else if (!handle(url, response)) {
      response.writeHead(404, headers);
      response.end();
    }
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  };
  const listening = Array.from({ length: ports }, async (_, k) => {
    // Node's compatibility API lets HTTP/2 requests and responses behave like those of HTTP/1.1
    const server: Server = secure ? createSecureServer(selfSigned(host)) : createServer({ keepAliveTimeout: 600_000 });
    server.on('request', listener);
    server.listen(firstPort + k, host);
    await once(server, 'listening');
  });
  try {
    await Promise.all(listening);
    process.stdout.write('listening\n');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

export function send(
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  more: Record<string, string> = {},
): void {
  response.writeHead(200, { ...headers, ...more, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/**
 * Sends `length` bytes (Infinity: without end), no faster than `bucket` allows. `piece(offset, bytes)` returns at most
 * `bytes` bytes of the content.
 */
export function sendBytes(
  response: ServerResponse,
  type: string,
  length: number,
  piece: (offset: number, bytes: number) => Buffer,
  bucket: TokenBucket | null = null,
): void {
  response.writeHead(200, {
    ...headers,
    'content-type': type,
    ...(Number.isFinite(length) ? { 'content-length': length } : {}),
  });
  const mostBytes = bucket === null ? pieceBytes : cappedPieceBytes;
  let sent = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  response.once('close', () => {
    closed = true;
    clearTimeout(timer);
  });
  const pump = () => {
    while (!closed) {
      const bytes = Math.min(length - sent, mostBytes);
      if (bytes === 0) return void response.end();
      const waitMs = bucket?.take(bytes, performance.now()) ?? 0;
      if (waitMs > 0) {
        timer = setTimeout(pump, waitMs);
        return;
      }
      const next = piece(sent, bytes);
      sent += next.length;
      if (!response.write(next)) return void response.once('drain', pump);
    }
  };
  pump();
}
