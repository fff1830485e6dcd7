/**
 * Metric: share of the link's capacity that was used. The capacity is the mean rate of the link's schedule. A link that
 * follows a trace has no such rate.
 */

import { object } from '../../../../core/schema/schema.ts';
import { meanRateBps } from '../../../../core/vocabulary/rate-schedule.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

/**
 * Returns the used share of the capacity from the queue's exact counters, which are read within milliseconds of the
 * window's ends. Null if the counters were not read, or if the link has no rate.
 */
function utilisation({ window, link, file: { bottleneck } }: TrialRecord): number | null {
  if (bottleneck === null || link.trace !== null) return null;
  const { before, after } = bottleneck;
  const sentBps = ((after.sentBytes - before.sentBytes) * 8000) / (after.timeMs - before.timeMs);
  return sentBps / meanRateBps(link, before.timeMs - window.startMs, after.timeMs - window.startMs);
}

export const plugin: MetricPlugin = {
  id: 'utilisation',
  title: 'Link utilisation',
  source: 'Juntima et al., section 3.2: throughput and fairness',
  params: object({}),
  reading: {
    needs: 'The counters of the bottleneck and a link with a rate.',
    cannotTell: 'What an application wanted: a stream at its maximum bitrate takes no more of an empty link.',
    definitions: {
      'link-utilisation':
        'Bytes that left the bottleneck, as a share of what its mean rate could carry in the window. With `link.up` also ' +
        'of `up`, the bottleneck from the clients.',
    },
  },
  quantities: [
    {
      id: 'link-utilisation',
      title: 'Link utilisation',
      unit: 'ratio',
      better: null,
      of: 'link',
      perHop: true,
      perDirection: true,
    },
  ],
  async compute(record) {
    return { 'link-utilisation': utilisation(record) };
  },
};
