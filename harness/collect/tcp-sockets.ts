/** TCP sockets as the kernel sees them: `ss -tin` (iproute2), one record a socket. */
import type { Host } from '../../core/host.ts';

export type TcpSocket = {
  localPort: number;
  peerPort: number;
  congestionControl: string;
  /** Version that the congestion control itself reports; newer BBR prints one. */
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
  /** BBRv1's own estimate of the bandwidth, of TCP payload; other congestion controls tell none here. */
  bandwidthBps?: number;
  lostPackets?: number;
};

/** Words of `ss -i` that stand alone after the state and are no congestion control. */
const flags = new Set(['ts', 'usec_ts', 'sack', 'ecn', 'ecnseen', 'ecn_low', 'fastopen', 'app_limited', 'cubic_hystart', 'mptcp', 'tcp-ulp-mptcp']);

/** One line of `ss -tinOH`; undefined for a line that is none. */
export function parseSsLine(line: string): TcpSocket | undefined {
  const match = /^(?:[A-Z][A-Z0-9-]*\s+)?\d+\s+\d+\s+\S*:(\d+)\s+\S*:(\d+)\s*(.*)$/.exec(line.trim());
  if (match === null) return undefined;
  const info = match[3]!;
  const words = info.split(/\s+/);
  const number = (pattern: RegExp) => {
    const found = pattern.exec(info)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const set = <K extends keyof TcpSocket>(key: K, value: TcpSocket[K] | undefined) => (value === undefined ? {} : { [key]: value });
  return {
    localPort: Number(match[1]), peerPort: Number(match[2]),
    congestionControl: words.find(word => /^[a-z][a-z0-9_-]*$/.test(word) && !flags.has(word)) ?? 'unknown',
    version: /\bversion:(\d+)/.exec(info)?.[1],
    ...set('bytesSent', number(/\bbytes_sent:(\d+)/)), ...set('bytesAcked', number(/\bbytes_acked:(\d+)/)),
    ...set('bytesRetransmitted', number(/\bbytes_retrans:(\d+)/)), ...set('bytesReceived', number(/\bbytes_received:(\d+)/)),
    ...set('rttMs', number(/\brtt:([\d.]+)/)), ...set('minRttMs', number(/\bminrtt:([\d.]+)/)),
    ...set('congestionWindowPackets', number(/\bcwnd:(\d+)/)), ...set('lostPackets', number(/\blost:(\d+)/)),
    ...set('pacingBps', number(/\bpacing_rate (\d+)bps/)), ...set('deliveryBps', number(/\bdelivery_rate (\d+)bps/)),
    ...set('bandwidthBps', number(/\bbbr:\([^)]*\bbw:(\d+)bps/)),
  };
}

/** Established sockets of a host between it and any of the ports `first` to `last`, on either side. */
export async function tcpSockets(host: Host, first: number, last = first): Promise<TcpSocket[]> {
  const ports = first === last ? `( sport = :${first} or dport = :${first} )` : `( ( sport ge :${first} and sport le :${last} ) or ( dport ge :${first} and dport le :${last} ) )`;
  const { stdout } = await host.run(['ss', '-tinOH', 'state', 'established', ports], { timeoutMs: 5000 });
  return stdout.split('\n').map(parseSsLine).filter(socket => socket !== undefined);
}
