/**
 * How the link was shared between the media and the flood.
 *
 * Jain's index asks whether all have the same, whatever they can use. The max-min fair part asks whether each has what it can use or else as much as
 * the others: a stream that may have 8 Mbit/s is not entitled to half of 40. Parts are of what left the queue, in the bytes that the link
 * counts; the media and each flood are a party, whatever the number of flows (Philip et al., section 3). A link whose rate changes has no one
 * capacity, and no parts here.
 */
import { object } from '../../../core/schema.ts';
import { floodsOf, mediaOf, trafficOf } from '../../derive/queue-traffic.ts';
import { floodFlowsBps, floodGoodputBps, mediaGoodputBps } from '../../derive/rates.ts';
import { jainIndex, maxMinParts } from '../../../core/stats/fair-share.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

type Shares = { media: number | null; flood: number | null };

/** What each party had of its max-min fair part: 1 is all of it. */
function fairShares(record: TrialRecord): Shares {
  const { file, windowS, link, application } = record;
  const media = trafficOf(file.queueLog, mediaOf(record));
  const floods = record.floods().map(flood => trafficOf(file.queueLog, floodsOf({ floods: () => [flood] })));
  if (media === undefined || floods.length === 0 || floods.includes(undefined) || link.trace !== null || link.schedule.length > 0) return { media: null, flood: null };
  const { maxBitrate = Infinity } = application.service.params as { maxBitrate?: number };
  const [mediaPart, ...floodParts] = maxMinParts(link.rateBps, [maxBitrate, ...floods.map(() => Infinity)]) as [number, ...number[]];
  const rateOf = (traffic: typeof media) => traffic.sentBytes * 8 / windowS;
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  return { media: rateOf(media) / mediaPart, flood: sum(floods.map(flood => rateOf(flood!))) / sum(floodParts) };
}

export const plugin: MetricPlugin = {
  id: 'fairness',
  title: 'Fairness',
  source: 'Juntima et al., section 3.2, J of media and flood; Philip et al. (Prudentia), section 3, max-min fair share',
  params: object({}),
  quantities: [
    { id: 'jain-index', title: 'Jain\'s index of media and flood', unit: '', better: null },
    { id: 'jain-index-flows', title: 'Jain\'s index of all flows', unit: '', better: null },
    { id: 'media-fair-share', title: 'Media, of its max-min fair part', unit: '', better: null },
    { id: 'flood-fair-share', title: 'Flood, of its max-min fair part', unit: '', better: null },
  ],
  async compute(record) {
    const [media, flood, flows] = await Promise.all([mediaGoodputBps(record), floodGoodputBps(record), floodFlowsBps(record)]);
    const shares = fairShares(record);
    return {
      'jain-index': media === null || flood === null ? null : jainIndex(media, flood),
      'jain-index-flows': media === null || flows === null ? null : jainIndex(media, ...flows),
      'media-fair-share': shares.media, 'flood-fair-share': shares.flood,
    };
  },
};
