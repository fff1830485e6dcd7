/**
 * A name server on one address of this machine that forwards queries unchanged to the machine's own name servers
 * (resolv.conf(5); RFC 1035, section 4.1). Servers that listen only on the loopback address cannot be reached from
 * another namespace. Every server is asked, and the first answer counts. UDP only.
 */
import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIPv6, SocketAddress } from 'node:net';
import { CoexistError, systemCode } from '../../core/errors.ts';

type NameServer = { address: string; port: number };

const dnsPort = 53;
/** Largest number of name servers that a resolver uses (resolv.conf(5)). */
const mostServers = 3;
const headerBytes = 12;
/** Largest number of queries that wait. The limit is for queries that are never answered, which stay in the table. */
const mostWaiting = 4096;

/** Returns the name servers that the text of a resolv.conf lists. */
export function nameServersIn(text: string): NameServer[] {
  return [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)]
    .slice(0, mostServers)
    .map(match => ({ address: match[1]!, port: dnsPort }));
}

export function machineNameServers(): NameServer[] {
  try {
    return nameServersIn(readFileSync('/etc/resolv.conf', 'utf8'));
  } catch {
    return []; // no name servers: no name resolves
  }
}

/**
 * Returns the normal form of an address. For the unspecified address it returns the loopback address, because answers
 * come from that.
 */
function canonical(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  const bare = address.split('%')[0]!;
  return isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : address;
}

export class DnsRelay {
  readonly #inner: Socket;
  readonly #outer: { socket: Socket; server: NameServer }[];
  /** Clients that wait for an answer, by the query id that is used towards the servers. */
  readonly #waiting = new Map<number, { id: number; address: string; port: number }>();

  private constructor(inner: Socket, servers: readonly NameServer[]) {
    this.#inner = inner;
    this.#outer = servers.map(server => ({ server, socket: createSocket(isIPv6(server.address) ? 'udp6' : 'udp4') }));
    // the client repeats its query
    inner.on('message', (query, { address, port }) => this.#pass(query, address, port)).on('error', () => {});
    for (const { socket, server } of this.#outer) {
      socket
        .on('message', (answer, from) => {
          if (from.port === server.port && canonical(from.address) === canonical(server.address)) this.#answer(answer);
        })
        .on('error', () => {}); // another server may answer
    }
  }

  /**
   * Opens the relay; returns undefined if a name server of the machine already listens on this address. Throws
   * `no-internet` if the relay cannot listen.
   */
  static async open(
    at: NameServer,
    servers: readonly NameServer[] = machineNameServers(),
  ): Promise<DnsRelay | undefined> {
    const inner = createSocket('udp4');
    try {
      inner.bind(at.port, at.address);
      await once(inner, 'listening');
    } catch (error) {
      inner.close();
      if (systemCode(error) === 'EADDRINUSE') return undefined;
      throw new CoexistError('no-internet', `no name server can listen on ${at.address}`, { cause: error });
    }
    return new DnsRelay(inner, servers);
  }

  get port(): number {
    return this.#inner.address().port;
  }

  /** Local ports of the queries to the servers, in the order of the servers; assigned with the first query. */
  get upstreamPorts(): number[] {
    return this.#outer.map(({ socket }) => socket.address().port);
  }

  close(): void {
    for (const socket of [this.#inner, ...this.#outer.map(outer => outer.socket)]) socket.close();
  }

  #pass(query: Buffer, address: string, port: number): void {
    if (query.length < headerBytes) return;
    const id = this.#freeId();
    this.#waiting.set(id, { id: query.readUInt16BE(0), address, port });
    query.writeUInt16BE(id, 0);
    for (const { socket, server } of this.#outer) socket.send(query, server.port, server.address);
  }

  /** Returns an unused random query id (RFC 5452, section 4.3). Discards the oldest query if too many wait. */
  #freeId(): number {
    if (this.#waiting.size >= mostWaiting) this.#waiting.delete(this.#waiting.keys().next().value!);
    for (;;) {
      const id = randomInt(2 ** 16);
      if (!this.#waiting.has(id)) return id;
    }
  }

  #answer(answer: Buffer): void {
    if (answer.length < headerBytes) return;
    const asked = this.#waiting.get(answer.readUInt16BE(0));
    if (asked === undefined) return;
    this.#waiting.delete(answer.readUInt16BE(0));
    answer.writeUInt16BE(asked.id, 0);
    this.#inner.send(answer, asked.port, asked.address);
  }
}
