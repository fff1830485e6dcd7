/**
 * Metric: bandwidth estimate of the flood's congestion control. The estimate exceeds the capacity on a link that lets
 * packets through early.
 */
import { object } from '../../../../core/schema/schema.ts';
import { quantile } from '../../../../core/stats/quantile.ts';
import { bbr3Series } from '../../../record/series/bbr3.ts';
import { tcpSeries } from '../../../record/series/tcp.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

/**
 * Returns the estimates of every flow within the window, bit/s. BBRv3's estimates come from its telemetry, BBRv1's from
 * its sockets. Other congestion controls have no estimate.
 */
async function estimatesBps(record: TrialRecord): Promise<number[]> {
  const { startMs, endMs } = record.window;
  const inWindow = ({ timeMs }: { timeMs: number }) => timeMs >= startMs && timeMs <= endMs;
  const told = await Promise.all(
    record
      .floods()
      .map(async flood => [
        ...(await flood.read(bbr3Series))
          .filter(inWindow)
          .map(line => (line.kind === 'sample' ? line.maxBandwidthBps : null)),
        ...(await flood.read(tcpSeries))
          .filter(inWindow)
          .map(({ end, bandwidthBps }) => (end === 'sender' ? bandwidthBps : null)),
      ]),
  );
  return told.flat().filter(bps => typeof bps === 'number' && bps > 0) as number[];
}

export const plugin: MetricPlugin = {
  id: 'flood-estimate',
  title: "Bandwidth by the flood's own estimate",
  source: 'own; draft-ietf-ccwg-bbr 2.9.1, BBR.max_bw; BBRv1\'s "bw" of ss(8)',
  params: object({}),
  reading: {
    needs: 'A flood of BBRv1 (from its sockets) or BBRv3 (from its own telemetry).',
    cannotTell: 'Anything of CUBIC or Reno, which have no bandwidth estimate.',
    definitions: {
      'flood-estimate-p50': 'Median of all bandwidth estimates of the flows of the flood in the window.',
      'flood-estimate-p99': '99th percentile of the same estimates.',
    },
  },
  quantities: [
    {
      id: 'flood-estimate-p50',
      title: "Bandwidth by the flood's own estimate, median",
      unit: 'bit/s',
      better: null,
      of: 'all',
    },
    {
      id: 'flood-estimate-p99',
      title: "Bandwidth by the flood's own estimate, 99th percentile",
      unit: 'bit/s',
      better: null,
      of: 'all',
    },
  ],
  async compute(record) {
    const values = await estimatesBps(record);
    return {
      'flood-estimate-p50': quantile(values, 0.5) ?? null,
      'flood-estimate-p99': quantile(values, 0.99) ?? null,
    };
  },
};
