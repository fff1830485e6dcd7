/**
 * Metric: latency of a frame from its capture at the server to its presentation in the browser. The two times are
 * matched by RTP timestamp. A frame without a callback has no latency, and the share of frames that have a latency is
 * another quantity. With several machines, times of the server's clock are converted to the client's clock. The delay
 * of a monitor is not included.
 */
import { object } from '../../../../core/schema/schema.ts';
import { ascending, mean, quantileOfSorted } from '../../../../core/stats/quantile.ts';
import { statsSeries } from '../../../record/series/stats.ts';
import { frameLatencies } from '../../derive/frame-latencies.ts';
import { presentedTimes } from '../../derive/presented-times.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'frame-latency',
  title: 'Frame latency',
  source: 'own; WICG video-rvfc, rtpTimestamp; RFC 3550, 6.4.1 for jitter',
  params: object({}),
  reading: {
    needs: '`live-clip`. Over `--hosts` the clocks of two machines are compared.',
    cannotTell:
      'The latency of frames without a callback; the delay of a camera before the capture; the delays of compositor and monitor.',
    definitions: {
      'frame-latency-median':
        "Median time from capture to the handover to the browser's compositor, over those presented frames for which the browser called the page (their share: `frame-latency-share`), joined by RTP timestamp.",
      'frame-latency-p95': '95th percentile of the same.',
      'frame-latency-share':
        'Share of the presented frames for which the browser reported a presentation with an RTP timestamp.',
      'jitter-mean': 'Mean of inbound-rtp `jitter` (RFC 3550, 6.4.1) over the readings in the window.',
    },
  },
  quantities: [
    { id: 'frame-latency-median', title: 'Frame latency, median', unit: 'ms', better: 'lower' },
    { id: 'frame-latency-p95', title: 'Frame latency, 95th percentile', unit: 'ms', better: 'lower' },
    { id: 'frame-latency-share', title: 'Share of presented frames with a known latency', unit: 'ratio', better: null },
    { id: 'jitter-mean', title: 'Interarrival jitter, mean', unit: 'ms', better: 'lower' },
  ],
  async compute(record) {
    const { startMs, endMs } = record.window;
    const presented = (await presentedTimes(record)).filter(time => time > startMs && time <= endMs).length;
    const sorted = ascending((await frameLatencies(record)).map(frame => frame.latencyMs));
    const jitters = (await record.read(statsSeries))
      .filter(sample => sample.timeMs >= startMs && sample.timeMs <= endMs)
      .flatMap(({ inbound }) => (typeof inbound?.['jitter'] === 'number' ? [inbound['jitter'] * 1000] : []));
    return {
      'frame-latency-median': quantileOfSorted(sorted, 0.5) ?? null,
      'frame-latency-p95': quantileOfSorted(sorted, 0.95) ?? null,
      'frame-latency-share': presented === 0 ? null : Math.min(1, sorted.length / presented),
      'jitter-mean': mean(jitters) ?? null,
    };
  },
};
