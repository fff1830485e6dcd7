/** A service's server as its page's browser and the record see it, whatever it speaks. */
import type { TransportReading } from '../../record/transport.ts';
import type { CongestionParams } from './congestion-param.ts';

/** Port of the page, apart from content: its files use connections of their own. The server has its host for itself. */
export const pagePort = 8100;

export type ContentServerOptions = {
  /** What people call the service, as in "the download". */
  name: string;
  congestion: CongestionParams;
  program: URL;
  /** What the program is told beside where it listens. */
  config: object;
  /** Origins of its content, each a port: a browser keeps the connections to each apart. */
  origins: number;
};

export interface ContentServer {
  /** Rejects when a part of it ends before `close`. */
  readonly failed: Promise<never>;
  readonly pageOrigin: string;
  readonly origins: readonly string[];
  /** What was read of its flows last. */
  readonly transport: TransportReading | null;
  /** What its browser has to be told. */
  readonly browser: { quic: boolean; switches: readonly string[] };
  /** Reads what its flows use now. Throws `service-failed` where one uses something else. */
  read(): Promise<void>;
  close(): Promise<void>;
}

/** Addresses of the page, first, and of the content. */
export function originsOf(
  scheme: 'http' | 'https',
  address: string,
  count: number,
): [page: string, ...content: string[]] {
  const [page, ...content] = Array.from({ length: count + 1 }, (_, k) => `${scheme}://${address}:${pagePort + k}`);
  return [page!, ...content];
}
