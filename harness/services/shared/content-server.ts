/** The server of a service as its page and the record see it, for any protocol. */
import type { TransportReading } from '../../record/transport.ts';
import type { CongestionParams } from './congestion-param.ts';

/**
 * Port of the page, apart from content: its files use other connections than the content. The server is alone on its
 * host.
 */
export const pagePort = 8100;

export type ContentServerOptions = {
  /** Name of the service for people, such as "the download". */
  name: string;
  congestion: CongestionParams;
  program: URL;
  /** Configuration of the program in addition to its addresses. */
  config: object;
  /** Number of origins of the content, one port each: a browser keeps separate connections to each. */
  origins: number;
};

export interface ContentServer {
  /** Rejects if a part of the server ends before `close`. */
  readonly failed: Promise<never>;
  readonly pageOrigin: string;
  readonly origins: readonly string[];
  /** Last reading of its flows. */
  readonly transport: TransportReading | null;
  /** Options for its browser. */
  readonly browser: { quic: boolean; switches: readonly string[] };
  /** Reads the flows. Throws `service-failed` if one uses another congestion control. */
  read(): Promise<void>;
  close(): Promise<void>;
}

/** Origins of the page (first) and of the content. */
export function originsOf(
  scheme: 'http' | 'https',
  address: string,
  count: number,
): [page: string, ...content: string[]] {
  const [page, ...content] = Array.from({ length: count + 1 }, (_, k) => `${scheme}://${address}:${pagePort + k}`);
  return [page!, ...content];
}
