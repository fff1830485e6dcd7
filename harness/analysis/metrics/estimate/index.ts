/**
 * Metric: bandwidth estimate of the sender's congestion control, and the shortest round trip that the congestion
 * control measured.
 */
import { object } from '../../../../core/schema/schema.ts';
import { mean } from '../../../../core/stats/quantile.ts';
import { controllerSeries } from '../../../record/series/controller.ts';
import { senderEstimates } from '../../derive/sender-estimates.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'estimate',
  title: 'Estimate',
  source: 'Drucker et al., Figure 4 and Table II; W3C webrtc-stats, availableOutgoingBitrate',
  params: object({}),
  reading: {
    needs:
      'A sender with a congestion controller of its own (`live-clip`) or Chromium as the sender (`chromium-call`).',
    cannotTell:
      'Whether the estimate was right: compare it with the rate of the link and with what the other applications took.',
    definitions: {
      'estimate-mean':
        'Mean over the window of the bandwidth estimate of the sender; of its target rate where the controller has no estimate.',
      'min-rtt-estimate':
        'Mean over the window of the minimum round-trip time that the controller uses. Only controllers that keep one have it.',
    },
  },
  quantities: [
    { id: 'estimate-mean', title: 'Bandwidth estimate of the sender, mean', unit: 'bit/s', better: null },
    { id: 'min-rtt-estimate', title: 'Minimum round-trip time of the sender, mean', unit: 'ms', better: null },
  ],
  async compute(record) {
    const { startMs, endMs } = record.window;
    const inWindow = ({ timeMs }: { timeMs: number }) => timeMs >= startMs && timeMs <= endMs;
    const estimates = (await senderEstimates(record)).filter(inWindow).map(({ estimateBps }) => estimateBps);
    const states = (await record.read(controllerSeries)).filter(inWindow);
    const roundTrips = states.flatMap(({ minRttMs }) =>
      typeof minRttMs === 'number' && minRttMs > 0 ? [minRttMs] : [],
    );
    return { 'estimate-mean': mean(estimates) ?? null, 'min-rtt-estimate': mean(roundTrips) ?? null };
  },
};
