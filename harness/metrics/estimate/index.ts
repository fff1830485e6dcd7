/** What the sender's congestion control took the path to carry. */
import { object } from '../../base/schema.ts';
import { mean } from '../../stats/quantile.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'estimate',
  title: 'Estimate',
  source: 'Drucker et al., Figure 4 and Table II; W3C webrtc-stats, availableOutgoingBitrate',
  params: object({}),
  quantities: [{ id: 'estimate-mean', title: 'Estimate of the path, mean', unit: 'bit/s', better: null }],
  async compute(record) {
    const { startMs, endMs } = record.window;
    const inWindow = ({ timeMs }: { timeMs: number }) => timeMs >= startMs && timeMs <= endMs;
    // a controller whose trace has no estimate of its own goes by its target
    const ours = (await record.controller()).filter(inWindow).flatMap(({ estimateBps, targetBps }) => {
      const value = estimateBps ?? targetBps;
      return typeof value === 'number' ? [value] : [];
    });
    const browsers = (await record.caller()).filter(inWindow).flatMap(({ candidatePair }) => {
      const value = candidatePair?.['availableOutgoingBitrate'];
      return typeof value === 'number' ? [value] : [];
    });
    return { 'estimate-mean': mean([...ours, ...browsers]) ?? null };
  },
};
