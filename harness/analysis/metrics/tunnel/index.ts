/** Metrics of an application's tunnel: losses, rate, window, waiting packets and overhead. */
import { object } from '../../../../core/schema/schema.ts';
import { median, quantile } from '../../../../core/stats/quantile.ts';
import { TunnelEndWindow } from '../../derive/tunnel.ts';
import type { MetricPlugin } from '../metric.ts';

const share = (part: number | null, whole: number | null) =>
  part === null || whole === null || whole === 0 ? null : part / whole;

export const plugin: MetricPlugin = {
  id: 'tunnel',
  title: 'Tunnel',
  source: 'Baldassin et al., section 4: QUIC losses and bitrate at the QUIC server',
  params: object({}),
  reading: {
    needs: 'An application with a `tunnel`. "The end" is the one beside its server, which sends the media.',
    cannotTell: 'Packets that QUIC declared lost and that came late: they count as lost.',
    definitions: {
      'tunnel-loss': 'QUIC packets that the end declared lost, as a share of those that it sent.',
      'tunnel-rate': 'UDP payload that the end sent in the window, times 8, divided by its length.',
      'tunnel-expansion': 'UDP payload that the end sent, divided by the payload that the application gave to it.',
      'tunnel-delivery':
        'Median of what the other end acknowledged between two reports; the stack quic-go does not tell.',
      'tunnel-window': 'Median congestion window.',
      'tunnel-rtt': 'Median smoothed round-trip time.',
      'tunnel-queue-p95':
        '95th percentile of the payload that waits at the end for its first transmission; with noq in stream mode also of what waits to be sent again.',
      'tunnel-drops': 'Packets of the application dropped at the end, as a share of those that came to it.',
      'tunnel-spurious-events':
        'Congestion events after which the packet turned out to have come. Stacks tell no spurious losses.',
      'tunnel-server-cpu': "CPU time of the server's end divided by the window.",
      'tunnel-client-cpu': "CPU time of the client's end divided by the window.",
    },
  },
  quantities: [
    { id: 'tunnel-loss', title: 'Tunnel: packets lost', unit: 'ratio', better: 'lower' },
    { id: 'tunnel-rate', title: 'Tunnel: rate sent', unit: 'bit/s', better: null },
    { id: 'tunnel-expansion', title: 'Tunnel: sent per byte offered', unit: '', better: 'lower' },
    { id: 'tunnel-delivery', title: 'Tunnel: delivery rate, median', unit: 'bit/s', better: null },
    { id: 'tunnel-window', title: 'Tunnel: congestion window, median', unit: 'bytes', better: null },
    { id: 'tunnel-rtt', title: 'Tunnel: round trip, median', unit: 'ms', better: 'lower' },
    { id: 'tunnel-queue-p95', title: 'Tunnel: waiting at the end, p95', unit: 'bytes', better: 'lower' },
    { id: 'tunnel-drops', title: 'Tunnel: packets dropped at the end', unit: 'ratio', better: 'lower' },
    { id: 'tunnel-spurious-events', title: 'Tunnel: spurious congestion events', unit: '', better: 'lower' },
    { id: 'tunnel-server-cpu', title: "CPU of the tunnel's server end", unit: 'cores', better: 'lower' },
    { id: 'tunnel-client-cpu', title: "CPU of the tunnel's client end", unit: 'cores', better: 'lower' },
  ],
  async compute(record) {
    const [server, client] = [await TunnelEndWindow.of(record, 'server'), await TunnelEndWindow.of(record, 'client')];
    const sentBytes = server?.growth('sentBytes') ?? null;
    const cpu = (end: TunnelEndWindow | null) => {
      const usedMs = end?.growth('cpuMs') ?? null;
      return usedMs === null ? null : usedMs / 1000 / record.windowS;
    };
    return {
      'tunnel-loss': share(server?.growth('lostPackets') ?? null, server?.growth('sentPackets') ?? null),
      'tunnel-rate': sentBytes === null ? null : (sentBytes * 8) / record.windowS,
      'tunnel-expansion': share(sentBytes, server?.growth('bytesIn') ?? null),
      'tunnel-delivery': median(server?.values('deliveryBps') ?? []) ?? null,
      'tunnel-window': median(server?.values('congestionWindowBytes') ?? []) ?? null,
      'tunnel-rtt': median(server?.values('rttMs') ?? []) ?? null,
      'tunnel-queue-p95': quantile(server?.values('queuedBytes') ?? [], 0.95) ?? null,
      'tunnel-drops': share(server?.growth('droppedPackets') ?? null, server?.growth('packetsIn') ?? null),
      'tunnel-spurious-events': server?.growth('spuriousCongestionEvents') ?? null,
      'tunnel-server-cpu': cpu(server),
      'tunnel-client-cpu': cpu(client),
    };
  },
};
