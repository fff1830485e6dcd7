/**
 * Metric: share of the link's capacity that was used. The capacity is the mean rate of the link's schedule. A link that
 * follows a trace has no such rate.
 */

import { object } from '../../../../core/schema/schema.ts';
import { type Direction, inDirection } from '../../../../core/vocabulary/link.ts';
import { meanRateBps } from '../../../../core/vocabulary/rate-schedule.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

/**
 * Returns the used share of the capacity from the queue's exact counters, which are read within milliseconds of the
 * window's ends. Null if the counters were not read, or if the direction has no bottleneck with a rate.
 */
function utilisation({ window, link, file: { bottleneck } }: TrialRecord, direction: Direction): number | null {
  if (bottleneck === null || (direction === 'up' && link.up == null)) return null;
  const { before, after } = bottleneck;
  const sent = [before, after].map(reading => (direction === 'down' ? reading : reading.up)?.sentBytes);
  const own = inDirection(link, direction);
  if (sent[0] === undefined || sent[1] === undefined || own.trace !== null) return null;
  const sentBps = ((sent[1] - sent[0]) * 8000) / (after.timeMs - before.timeMs);
  return sentBps / meanRateBps(own, before.timeMs - window.startMs, after.timeMs - window.startMs);
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
      'link-utilisation': 'Bytes that left the bottleneck, as a share of what its mean rate could carry in the window.',
      'up-link-utilisation': 'The same of the bottleneck from the clients, where the study has `link.up`.',
    },
  },
  quantities: [
    { id: 'link-utilisation', title: 'Link utilisation', unit: 'ratio', better: null, of: 'link', perHop: true },
    {
      id: 'up-link-utilisation',
      title: 'Link utilisation, from the clients',
      unit: 'ratio',
      better: null,
      of: 'link',
      perHop: true,
    },
  ],
  async compute(record) {
    return {
      'link-utilisation': utilisation(record, 'down'),
      'up-link-utilisation': utilisation(record, 'up'),
    };
  },
};
