/** Metric: completion times of flows that have a size. */
import { object } from '../../../../core/schema/schema.ts';
import { quantile } from '../../../../core/stats/quantile.ts';
import { serviceSeries } from '../../../record/series/service.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'flow-completion',
  title: 'Flow completion times',
  source: 'RFC 8868, section 5.1 (short TCP flows); own',
  params: object({}),
  reading: {
    needs:
      '`short-flows`, or `iperf` with `bytes`. Of `batch-download` it is the time of a batch, whose chunks come ' +
      'together.',
    cannotTell:
      'How long the flows take that had not ended at the end of the window: where they are many, the times are too ' +
      'short, and the number of those that ended says so.',
    definitions: {
      'completed-flows': 'Flows that ended in the window.',
      'flow-completion-median':
        'Median of their times from the begin of the connection to the last byte, also of those that began before the ' +
        'window.',
      'flow-completion-p95': '95th percentile of these times.',
    },
  },
  quantities: [
    { id: 'completed-flows', title: 'Flows that ended', unit: '', better: 'higher' },
    { id: 'flow-completion-median', title: 'Flow completion time, median', unit: 'ms', better: 'lower' },
    { id: 'flow-completion-p95', title: 'Flow completion time, 95th percentile', unit: 'ms', better: 'lower' },
  ],
  async compute(record) {
    const { startMs, endMs } = record.window;
    const told = await record.read(serviceSeries);
    const batches = told.filter(line => line.kind === 'batch');
    const tookMs = batches
      .filter(({ timeMs }) => timeMs > startMs && timeMs <= endMs)
      .map(({ durationMs }) => durationMs);
    return {
      'completed-flows': batches.length === 0 ? null : tookMs.length,
      'flow-completion-median': quantile(tookMs, 0.5) ?? null,
      'flow-completion-p95': quantile(tookMs, 0.95) ?? null,
    };
  },
};
