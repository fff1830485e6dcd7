/** Interface of a server that sends the content of a service over HTTP/1.1, HTTP/2 or HTTP/3. */
import type { TransportReading } from '../../record/transport.ts';
import type { CongestionParams } from './congestion-param.ts';

/**
 * Port of the page. It is not a port of the content, so that files of the page use other connections. The server is
 * alone on its host.
 */
export const pagePort = 8100;

export type ContentServerOptions = {
  /** Name of the service for people, such as "the download". */
  name: string;
  congestion: CongestionParams;
  program: URL;
  /** Configuration of the server program in addition to its addresses. */
  config: object;
  /** Number of origins of the content. Each has a port, and a browser opens separate connections to each. */
  origins: number;
};

export interface ContentServer {
  /** Rejects if a part of the server ends before `close`. */
  readonly failed: Promise<never>;
  readonly pageOrigin: string;
  readonly origins: readonly string[];
  /** Last reading of the server's flows; null before the first one with content. */
  readonly transport: TransportReading | null;
  /** Options with which a browser reaches this server. */
  readonly browser: { quic: boolean; switches: readonly string[] };
  /** Reads the flows of the server. Throws `service-failed` if one uses another congestion control than requested. */
  read(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the origin of the page (first) and those of the content. */
export function originsOf(
  scheme: 'http' | 'https',
  address: string,
  count: number,
): [page: string, ...content: string[]] {
  const [page, ...content] = Array.from({ length: count + 1 }, (_, k) => `${scheme}://${address}:${pagePort + k}`);
  return [page!, ...content];
}
