/** What the sender did: the rate it was allowed, pictures it left out, CPU it took. */
import { object } from '../../base/schema.ts';
import { mean } from '../../stats/quantile.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'sender',
  title: 'Sender',
  source: 'own',
  params: object({}),
  quantities: [
    { id: 'target-rate-mean', title: 'Target rate, mean', unit: 'bit/s', better: 'higher' },
    { id: 'frames-skipped-late', title: 'Pictures skipped, host late', unit: '', better: 'lower' },
    { id: 'frames-skipped-pacer', title: 'Pictures skipped, pacer full', unit: '', better: 'lower' },
    { id: 'server-cpu', title: 'CPU of the media server', unit: 'cores', better: 'lower' },
  ],
  async compute(record) {
    const { startMs, endMs } = record.window;
    const skipped = (await record.skippedFrames()).filter(skip => skip.captureMs >= startMs && skip.captureMs < endMs);
    const count = (reason: 'late' | 'pacer') => skipped.filter(skip => skip.skipped === reason).reduce((sum, skip) => sum + skip.count, 0);
    const targets = (await record.sender()).filter(sample => sample.timeMs >= startMs && sample.timeMs <= endMs).map(sample => sample.targetBps);
    return {
      'target-rate-mean': mean(targets) ?? null,
      'frames-skipped-late': count('late'),
      'frames-skipped-pacer': count('pacer'),
      'server-cpu': record.file.cpuRatio?.['server'] ?? null,
    };
  },
};
