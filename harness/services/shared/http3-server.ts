/**
 * A service's server with HTTP/3. The program that terminates HTTP/3 listens on the server's address. Behind it, on the
 * host's loopback, runs the same server as for HTTP/1.1. A route cannot set the congestion control of QUIC. So the
 * program gets it as an argument, and reports for each connection which one is in use.
 */

import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { keyHash, selfSigned } from '../../../core/system/self-signed.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { StudyContext } from '../service.ts';
import { type ContentServer, type ContentServerOptions, originsOf, pagePort } from './content-server.ts';
import type { HttpConfig } from './http-program.ts';
import { Http3Program, http3Version, type QuicConnection } from './http3-program.ts';
import { ServerProgram } from './server-program.ts';

const loopback = '127.0.0.1';

/** Fewest sent bytes of a connection that carries content. */
const dataBytes = 30_000;

/**
 * Returns the switches with which Chromium uses HTTP/3 from the first packet and accepts the self-signed certificate.
 */
export function quicSwitches(origins: readonly string[], cert: string): string[] {
  return [
    '--enable-quic',
    `--origin-to-force-quic-on=${origins.map(origin => new URL(origin).host).join(',')}`,
    `--ignore-certificate-errors-spki-list=${keyHash(cert)}`,
  ];
}

export class Http3Server implements ContentServer {
  readonly failed: Promise<never>;
  readonly pageOrigin: string;
  readonly origins: readonly string[];
  readonly browser: ContentServer['browser'];
  transport: TransportReading | null = null;
  readonly #parts: readonly { close(): Promise<void> }[];
  readonly #http3: Http3Program;
  readonly #flows: QuicFlows;

  private constructor(
    behind: ServerProgram,
    http3: Http3Program,
    flows: QuicFlows,
    origins: ReturnType<typeof originsOf>,
    cert: string,
  ) {
    [this.pageOrigin, ...this.origins] = origins;
    this.browser = { quic: true, switches: quicSwitches(origins, cert) };
    this.#parts = [http3, behind];
    this.#http3 = http3;
    this.#flows = flows;
    this.failed = Promise.race([behind.failed, http3.failed]);
    this.failed.catch(() => {});
  }

  static async open(
    { network: { hosts, addresses } }: StudyContext,
    { name, congestion: { congestionControl }, program, config, origins: count }: ContentServerOptions,
  ): Promise<Http3Server> {
    const address = addresses.server;
    const version = await http3Version();
    const origins = originsOf('https', address, count);
    const http: HttpConfig = { host: loopback, firstPort: pagePort, ports: count + 1, secure: false };
    const behind = await ServerProgram.start(hosts.server, `${name}'s server`, program, {
      ...http,
      origins: origins.slice(1),
      ...config,
    });
    try {
      const identity = selfSigned(address);
      const http3 = await Http3Program.start(hosts.server, `${name}'s HTTP/3 server`, {
        ...identity,
        listen: address,
        firstPort: pagePort,
        ports: count + 1,
        to: loopback,
        congestionControl,
      });
      return new Http3Server(behind, http3, new QuicFlows(congestionControl, version), origins, identity.cert);
    } catch (error) {
      await behind.close();
      throw error;
    }
  }

  async read(): Promise<void> {
    this.transport = this.#flows.read(this.#http3.connections()) ?? this.transport;
  }

  async close(): Promise<void> {
    for (const part of this.#parts) await part.close();
  }
}

/** Labels of congestion controls for people. noq's BBRv3 follows draft-ietf-ccwg-bbr-05. */
const labels: Record<string, string> = { bbr3: 'QUIC BBRv3', cubic: 'QUIC CUBIC', newreno: 'QUIC NewReno' };

/** Converts connections that carry content into flows of the record. */
export class QuicFlows {
  readonly #asked: string;
  readonly #version: string;
  /** Time at which each connection was seen first, by the client's port. */
  readonly #seenMs = new Map<number, number>();

  constructor(asked: string, version: string) {
    this.#asked = asked;
    this.#version = version;
  }

  /**
   * Returns the reading for the record; null if no connection carries content. Throws `service-failed` if a connection
   * uses another congestion control than requested.
   */
  read(connections: readonly QuicConnection[]): TransportReading | null {
    const carrying = connections.filter(({ port, sentBytes }) => port !== pagePort && sentBytes > dataBytes);
    if (carrying.length === 0) return null;
    const other = carrying.find(({ congestionControl }) => congestionControl !== this.#asked);
    if (other !== undefined)
      throw new CoexistError(
        'service-failed',
        `a QUIC connection of the service uses ${other.congestionControl}, not ${this.#asked}`,
      );
    const timeMs = nowMs();
    return {
      label: labels[this.#asked] ?? `QUIC ${this.#asked}`,
      evidence:
        `${this.#version}: the state of each connection is that of its ` +
        `${this.#asked}${this.#asked === 'bbr3' ? ', which noq calls experimental' : ''}`,
      flows: carrying.map(
        ({
          peerPort,
          congestionControl,
          sentBytes,
          congestionWindowBytes,
          rttMs,
          sentPackets,
          lostPackets,
          lostBytes,
          congestionEvents,
        }) => {
          if (!this.#seenMs.has(peerPort)) this.#seenMs.set(peerPort, timeMs);
          return {
            port: peerPort,
            congestionControl,
            startMs: this.#seenMs.get(peerPort)!,
            retransmittedBytes: null,
            sentBytes,
            receivedBytes: null,
            quic: { congestionWindowBytes, rttMs, sentPackets, lostPackets, lostBytes, congestionEvents },
          };
        },
      ),
    };
  }
}
