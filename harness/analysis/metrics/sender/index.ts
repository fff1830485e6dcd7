/** Metrics of the sender: target rate, skipped frames, CPU time. */
import { object } from '../../../../core/schema/schema.ts';
import { mean } from '../../../../core/stats/quantile.ts';
import { callerSeries } from '../../../record/series/caller.ts';
import type { SkippedFrameLine } from '../../../record/series/frames.sent.ts';
import { senderSeries } from '../../../record/series/sender.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'sender',
  title: 'Sender',
  source: 'own',
  params: object({}),
  reading: {
    needs: '`live-clip`; the target rate also with `chromium-call`.',
    cannotTell: 'What the receiver saw.',
    definitions: {
      'target-rate-mean': 'Mean target rate that the congestion controller gave to the encoder.',
      'frames-skipped-late': 'Frames not encoded because the host was late.',
      'frames-skipped-pacer': 'Frames not encoded because the pacer held more than `service.pacerLimit`.',
      'frames-skipped-pushback': 'Frames not encoded because the congestion window was full.',
      'server-cpu': 'CPU time of the media server divided by the window.',
    },
  },
  quantities: [
    { id: 'target-rate-mean', title: 'Target rate, mean', unit: 'bit/s', better: 'higher' },
    { id: 'frames-skipped-late', title: 'Frames skipped, host late', unit: '', better: 'lower' },
    { id: 'frames-skipped-pacer', title: 'Frames skipped, pacer full', unit: '', better: 'lower' },
    { id: 'frames-skipped-pushback', title: 'Frames skipped, congestion window', unit: '', better: 'lower' },
    { id: 'server-cpu', title: 'CPU of the media server', unit: 'cores', better: 'lower' },
  ],
  async compute(record) {
    const { startMs, endMs } = record.window;
    const skipped = (await record.skippedFrames()).filter(skip => skip.captureMs >= startMs && skip.captureMs < endMs);
    const count = (reason: SkippedFrameLine['skipped']) =>
      skipped.filter(skip => skip.skipped === reason).reduce((sum, skip) => sum + skip.count, 0);
    const inWindow = ({ timeMs }: { timeMs: number }) => timeMs >= startMs && timeMs <= endMs;
    const samples = await record.read(senderSeries);
    const targets = samples.filter(inWindow).map(sample => sample.targetBps);
    const called = (await record.read(callerSeries))
      .filter(inWindow)
      .flatMap(({ outbound }) => (typeof outbound?.['targetBitrate'] === 'number' ? [outbound['targetBitrate']] : []));
    return {
      'target-rate-mean': mean([...targets, ...called]) ?? null,
      'frames-skipped-late': samples.length === 0 ? null : count('late'),
      'frames-skipped-pacer': samples.length === 0 ? null : count('pacer'),
      'frames-skipped-pushback': samples.length === 0 ? null : count('pushback'),
      'server-cpu': record.file.cpuRatio?.[`${record.application.name} server`] ?? null,
    };
  },
};
