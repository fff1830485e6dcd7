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

/** Returns the bytes that the flood's sockets sent over the window, and the retransmitted bytes among them. */
async function floodSending(record: TrialRecord): Promise<{ sentBytes: number; againBytes: number }> {
  const all = await Promise.all(record.floods().map(oneFloodSending));
  const sum = (key: keyof (typeof all)[number]) => all.reduce((total, flood) => total + flood[key], 0);
  return { sentBytes: sum('sentBytes'), againBytes: sum('againBytes') };
}

async function oneFloodSending(record: TrialRecord): Promise<{ sentBytes: number; againBytes: number }> {
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
    needs: '`live-clip` for the media; a flood for its retransmissions.',
    cannotTell: 'Losses that no feedback reported: such packets are unknown, not lost.',
    definitions: {
      'media-loss':
        'Share of the media packets with feedback that the browser did not receive. A packet repaired by a retransmission was lost, too.',
      'queue-drops': 'Growth of the drop counter of the bottleneck queue over the window.',
      'up-queue-drops': 'The same of the bottleneck from the clients, where the study has `link.up`.',
      'random-losses': 'Packets that the configured random loss took away in the window.',
      'flood-retransmission': 'Bytes that the flood sent again, as a share of all bytes that it sent.',
    },
  },
  quantities: [
    { id: 'media-loss', title: 'Media packets lost', unit: 'ratio', better: 'lower' },
    {
      id: 'queue-drops',
      title: 'Packets dropped by the queue (full, or by its AQM)',
      unit: '',
      better: null,
      of: 'link',
    },
    {
      id: 'up-queue-drops',
      title: 'Packets dropped by the queue from the clients (full, or by its AQM)',
      unit: '',
      better: null,
      of: 'link',
    },
    { id: 'random-losses', title: 'Packets lost at random', unit: '', better: null, of: 'link' },
    { id: 'flood-retransmission', title: 'Flood bytes sent again', unit: 'ratio', better: null, of: 'all' },
  ],
  async compute(record) {
    const { bottleneck } = record.file;
    const { told, lost } = lostMedia(await record.packetTable(), record.window);
    const flood = await floodSending(record);
    return {
      'media-loss': told === 0 ? null : lost / told,
      'queue-drops': bottleneck === null ? null : bottleneck.after.droppedPackets - bottleneck.before.droppedPackets,
      'up-queue-drops':
        bottleneck?.after.up == null || bottleneck.before.up == null
          ? null
          : bottleneck.after.up.droppedPackets - bottleneck.before.up.droppedPackets,
      'random-losses': bottleneck === null ? null : randomlyLost(bottleneck.after) - randomlyLost(bottleneck.before),
      'flood-retransmission': flood.sentBytes === 0 ? null : flood.againBytes / flood.sentBytes,
    };
  },
};
