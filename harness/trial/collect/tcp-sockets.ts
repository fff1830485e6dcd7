/** Reads TCP sockets as the kernel reports them: `ss -tin` (iproute2), one record per socket. */

import { CoexistError } from '../../../core/errors.ts';
import type { Child } from '../../../core/system/command.ts';
import { within } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import { LineSplitter } from '../../../core/system/jsonl.ts';

export type TcpSocket = {
  localPort: number;
  peerPort: number;
  peerAddress: string;
  congestionControl: string;
  /** Version of the congestion control, if it reports one, as newer BBR does. */
  version: string | undefined;
  bytesSent?: number;
  bytesAcked?: number;
  bytesRetransmitted?: number;
  bytesReceived?: number;
  rttMs?: number;
  minRttMs?: number;
  congestionWindowPackets?: number;
  pacingBps?: number;
  deliveryBps?: number;
  /** Bandwidth estimate of BBRv1 for TCP payload, bit/s. Other congestion controls do not report one here. */
  bandwidthBps?: number;
  lostPackets?: number;
  /** True if both ends of the connection use ECN (RFC 3168, section 6.1.1). */
  ecn?: true;
  /** Number of packets that the receiver reported as marked with CE. */
  deliveredCePackets?: number;
  /**
   * Milliseconds in which the socket had data to send. `receiveWindowLimitedMs` and `sendBufferLimitedMs` are the parts
   * of it in which the receiver's window or the send buffer limited the rate.
   */
  busyMs?: number;
  receiveWindowLimitedMs?: number;
  sendBufferLimitedMs?: number;
};

/** Single words that `ss -i` prints after the state and that are not the name of a congestion control. */
const flags = new Set([
  'ts',
  'usec_ts',
  'sack',
  'ecn',
  'ecnseen',
  'ecn_low',
  'fastopen',
  'app_limited',
  'cubic_hystart',
  'mptcp',
  'tcp-ulp-mptcp',
]);

/** Parses a line of `ss -tinoOH`; undefined if the line does not describe a socket. */
export function parseSsLine(line: string): TcpSocket | undefined {
  const match = /^(?:[A-Z][A-Z0-9-]*\s+)?\d+\s+\d+\s+\S*:(\d+)\s+(\S*):(\d+)\s*(.*)$/.exec(line.trim());
  if (match === null) return undefined;
  const info = match[4]!;
  const words = info.split(/\s+/);
  const number = (pattern: RegExp) => {
    const found = pattern.exec(info)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const set = <K extends keyof TcpSocket>(key: K, value: TcpSocket[K] | undefined) =>
    value === undefined ? {} : { [key]: value };
  return {
    localPort: Number(match[1]),
    peerPort: Number(match[3]),
    peerAddress: match[2]!,
    congestionControl: words.find(word => /^[a-z][a-z0-9_-]*$/.test(word) && !flags.has(word)) ?? 'unknown',
    version: /\bversion:(\d+)/.exec(info)?.[1],
    ...set('bytesSent', number(/\bbytes_sent:(\d+)/)),
    ...set('bytesAcked', number(/\bbytes_acked:(\d+)/)),
    ...set('bytesRetransmitted', number(/\bbytes_retrans:(\d+)/)),
    ...set('bytesReceived', number(/\bbytes_received:(\d+)/)),
    ...set('rttMs', number(/\brtt:(\d+(?:\.\d+)?)/)),
    ...set('minRttMs', number(/\bminrtt:(\d+(?:\.\d+)?)/)),
    ...set('congestionWindowPackets', number(/\bcwnd:(\d+)/)),
    ...set('lostPackets', number(/\blost:(\d+)/)),
    ...set('ecn', words.includes('ecn') ? true : undefined),
    // `ss` omits these values while they are 0
    ...set('deliveredCePackets', number(/\bdelivered_ce:(\d+)/)),
    ...set('busyMs', number(/\bbusy:(\d+)ms/)),
    ...set('receiveWindowLimitedMs', number(/\brwnd_limited:(\d+)ms/)),
    ...set('sendBufferLimitedMs', number(/\bsndbuf_limited:(\d+)ms/)),
    ...set('pacingBps', number(/\bpacing_rate (\d+)bps/)),
    ...set('deliveryBps', number(/\bdelivery_rate (\d+)bps/)),
    ...set('bandwidthBps', number(/\bbbr:\([^)]*\bbw:(\d+)bps/)),
  };
}

/** Returns the command line of `ss` for established sockets with a port from `first` to `last` on either side. */
function ssWords(first: number, last: number): string[] {
  const ports =
    first === last
      ? `( sport = :${first} or dport = :${first} )`
      : `( ( sport ge :${first} and sport le :${last} ) or ( dport ge :${first} and dport le :${last} ) )`;
  return ['ss', '-tinoOH', 'state', 'established', ports];
}

const socketsIn = (text: string) =>
  text
    .split('\n')
    .map(parseSsLine)
    .filter(socket => socket !== undefined);

const answerMs = 5000;

/** Returns the established sockets of a host with a port from `first` to `last` on either side. */
export async function tcpSockets(host: Host, first: number, last = first): Promise<TcpSocket[]> {
  return socketsIn((await host.run(ssWords(first, last), { timeoutMs: answerMs })).stdout);
}

/** Line that marks the end of an answer. `ss` never prints it. */
const endOfAnswer = '.';

type Question = { resolve(sockets: TcpSocket[]): void; reject(error: unknown): void };

/**
 * Reads sockets repeatedly. A shell stays in the host's namespace and starts `ss` for each reading. Entering the
 * namespace for each reading would take a chain of programs: that costs three times as much, and the harness has to
 * wait for the start of a process. With thirty applications that took two whole cores.
 */
export class SocketReader {
  readonly #child: Child;
  readonly #waiting: Question[] = [];
  #lines: string[] = [];

  constructor(host: Host, first: number, last: number) {
    const child = (this.#child = host.start(
      'socket reader',
      ['sh', '-c', `while read -r _; do "$@"; echo ${endOfAnswer}; done`, 'sh', ...ssWords(first, last)],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    ));
    const splitter = new LineSplitter(line => this.#onLine(line));
    child.process.stdin!.on('error', () => {}); // `child.ended` reports the end
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => splitter.push(text));
    void child.ended.then(() => {
      for (const { reject } of this.#waiting.splice(0)) reject(this.#gone());
    });
  }

  get alive(): boolean {
    return this.#child.alive;
  }

  /** Reads the sockets once. Simultaneous calls are answered in their order. */
  async read(): Promise<TcpSocket[]> {
    if (!this.alive) throw this.#gone();
    const answer = new Promise<TcpSocket[]>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#child.process.stdin!.write('\n');
    return within(answer, answerMs, 'the sockets to be read', { code: 'service-failed' });
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #gone(): CoexistError {
    return new CoexistError('service-failed', `the reading of sockets ended: ${this.#child.lastWords}`);
  }

  #onLine(line: string): void {
    if (line !== endOfAnswer) {
      this.#lines.push(line);
      return;
    }
    const lines = this.#lines;
    this.#lines = [];
    this.#waiting.shift()?.resolve(socketsIn(lines.join('\n')));
  }
}
