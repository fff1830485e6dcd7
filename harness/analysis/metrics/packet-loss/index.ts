/** Metric: lost packets as reported by transport feedback, and the places where they were lost. */
import { object } from '../../../../core/schema/schema.ts';
import { growth } from '../../../../core/stats/counters.ts';
import type { PacketTable } from '../../../record/packet-table.ts';
import { tcpSeries } from '../../../record/series/tcp.ts';
import type { BottleneckReading } from '../../../record/trial-file.ts';
import type { TrialRecord, Window } from '../../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

/** Returns the number of packets of all senders that had been lost at random when the reading was made. */
const randomlyLost = ({ randomLoss }: BottleneckReading) => randomLoss.reduce((sum, flow) => sum + flow.lostPackets, 0);

/** Returns the share of the bytes sent by the sockets of the applications that were sent again; null if none was sent. */
async function resentRatio(records: readonly TrialRecord[]): Promise<number | null> {
  const all = await Promise.all(records.map(socketsSending));
  const sum = (key: keyof (typeof all)[number]) => all.reduce((total, sent) => total + sent[key], 0);
  return sum('sentBytes') === 0 ? null : sum('againBytes') / sum('sentBytes');
}

/** Returns the bytes that the application's sockets sent over the window, and the retransmitted bytes among them. */
async function socketsSending(record: TrialRecord): Promise<{ sentBytes: number; againBytes: number }> {
  const senders = (await record.read(tcpSeries)).filter(socket => socket.end === 'sender');
  const total = (key: 'bytesSent' | 'bytesRetransmitted') =>
    [...new Set(senders.map(socket => socket.port))].reduce((sum, port) => {
      const readings = senders
        .filter(socket => socket.port === port)
        .map(socket => ({ timeMs: socket.timeMs, value: socket[key] ?? 0 }));
      return sum + (growth(readings, record.window) ?? 0);
    }, 0);
  return { sentBytes: total('bytesSent'), againBytes: total('bytesRetransmitted') };
}

/**
 * Returns the number of packets sent in the window on which feedback reports, and the number of lost packets among
 * them. A packet without feedback is unknown, not lost.
 */
function lostMedia(
  { length, sentMs, receivedMs, feedbackMs }: PacketTable,
  { startMs, endMs }: Window,
): { told: number; lost: number } {
  let [told, lost] = [0, 0];
  for (let row = 0; row < length; row++) {
    if (!(sentMs[row]! >= startMs && sentMs[row]! < endMs) || Number.isNaN(feedbackMs[row]!)) continue;
    told++;
    if (Number.isNaN(receivedMs[row]!)) lost++;
  }
  return { told, lost };
}

export const plugin: MetricPlugin = {
  id: 'packet-loss',
  title: 'Packet loss',
  source: 'draft-holmer-rmcat-transport-wide-cc-extensions-01; tc-htb(8), tc-bpf(8) counters',
  params: object({}),
  reading: {
    needs: '`live-clip` for the loss; `iperf` for the retransmissions.',
    cannotTell: 'Losses that no feedback reported: such packets are unknown, not lost.',
    definitions: {
      loss: 'Share of the media packets with feedback that the browser did not receive. A packet repaired by a retransmission was lost, too.',
      'queue-drops':
        'Growth of the drop counter of the bottleneck queue over the window. With `link.up` also of `up`, the bottleneck ' +
        'from the clients.',
      'random-losses': 'Packets that the configured random loss took away in the window.',
      'resent-ratio': 'Bytes that the TCP sockets of `iperf` sent again, as a share of all bytes that they sent.',
    },
  },
  quantities: [
    { id: 'loss', title: 'Packets lost', unit: 'ratio', better: 'lower' },
    {
      id: 'queue-drops',
      title: 'Packets dropped by the queue (full, or by its AQM)',
      unit: '',
      better: null,
      of: 'link',
      perHop: true,
      perDirection: true,
    },
    { id: 'random-losses', title: 'Packets lost at random', unit: '', better: null, of: 'link', perHop: true },
    { id: 'resent-ratio', title: 'TCP bytes sent again', unit: 'ratio', better: null, together: true },
  ],
  async compute(record) {
    const { told, lost } = lostMedia(await record.packetTable(), record.window);
    return {
      loss: told === 0 ? null : lost / told,
      'resent-ratio': await resentRatio([record]),
    };
  },
  async computeLink({ file: { bottleneck } }) {
    return {
      'queue-drops': bottleneck === null ? null : bottleneck.after.droppedPackets - bottleneck.before.droppedPackets,
      'random-losses': bottleneck === null ? null : randomlyLost(bottleneck.after) - randomlyLost(bottleneck.before),
    };
  },
  computeTogether: async records => ({ 'resent-ratio': await resentRatio(records) }),
};
