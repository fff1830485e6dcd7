/**
 * Metric: bandwidth estimates of the congestion control of TCP flows. An estimate exceeds the capacity on a link that
 * lets packets through early.
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
async function estimatesBps(
  records: readonly TrialRecord[],
  { window: { startMs, endMs } }: Pick<TrialRecord, 'window'>,
): Promise<number[]> {
  const inWindow = ({ timeMs }: { timeMs: number }) => timeMs >= startMs && timeMs <= endMs;
  const told = await Promise.all(
    records.map(async record => [
      ...(await record.read(bbr3Series))
        .filter(inWindow)
        .map(line => (line.kind === 'sample' ? line.maxBandwidthBps : null)),
      ...(await record.read(tcpSeries))
        .filter(inWindow)
        .map(({ end, bandwidthBps }) => (end === 'sender' ? bandwidthBps : null)),
    ]),
  );
  return told.flat().filter(bps => typeof bps === 'number' && bps > 0) as number[];
}

async function quantilesOf(records: readonly TrialRecord[], seen: TrialRecord) {
  const values = await estimatesBps(records, seen);
  return {
    'flow-estimate-p50': quantile(values, 0.5) ?? null,
    'flow-estimate-p99': quantile(values, 0.99) ?? null,
  };
}

const of = { unit: 'bit/s', better: null, together: true } as const;

export const plugin: MetricPlugin = {
  id: 'flow-estimate',
  title: 'Bandwidth estimate of TCP flows',
  source: 'own; draft-ietf-ccwg-bbr 2.9.1, BBR.max_bw; BBRv1\'s "bw" of ss(8)',
  params: object({}),
  reading: {
    needs: 'Flows of BBRv1 (from their sockets) or BBRv3 (from its own telemetry).',
    cannotTell: 'Anything of CUBIC or Reno, which have no bandwidth estimate.',
    definitions: {
      'flow-estimate-p50': 'Median of all bandwidth estimates of the flows of the application in the window.',
      'flow-estimate-p99': '99th percentile of the same estimates.',
    },
  },
  quantities: [
    { id: 'flow-estimate-p50', title: 'Bandwidth estimate of TCP flows, median', ...of },
    { id: 'flow-estimate-p99', title: 'Bandwidth estimate of TCP flows, 99th percentile', ...of },
  ],
  compute: record => quantilesOf([record], record),
  computeTogether: quantilesOf,
};
