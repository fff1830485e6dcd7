/**
 * How the link was shared between the media and the flood.
 *
 * Jain's index asks whether all have the same, whatever they can use. The max-min fair part asks whether each has what it can use or else as much as
 * the others: a stream that takes 7 Mbit/s alone is not entitled to half of 40. What it takes alone is what left the queue in the baseline, where there
 * is no flood: rates are all of what left the queue, in the bytes that the link counts, so headers and repair are in both; media and flood are a party
 * each, whatever the number of flows (Philip et al., section 3). A link whose rate changes has no one capacity, and no parts here.
 */
import { object } from '../../../core/schema.ts';
import { floodsOf, mediaOf } from '../../derive/queue-traffic.ts';
import { floodFlowsBps, floodGoodputBps, mediaGoodputBps } from '../../derive/rates.ts';
import { jainIndex, maxMinParts } from '../../../core/stats/fair-share.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

/** What left the queue of a party, bit/s; null without a log of the queue, or where nothing of it was seen. */
function wireBps({ file, windowS }: TrialRecord, kind: ReturnType<typeof mediaOf>): number | null {
  const traffic = (file.queueLog?.traffic ?? []).filter(kind);
  return traffic.length === 0 ? null : traffic.reduce((sum, { sentBytes }) => sum + sentBytes, 0) * 8 / windowS;
}

export const plugin: MetricPlugin = {
  id: 'fairness',
  title: 'Fairness',
  source: 'Juntima et al., section 3.2, J of media and flood; Philip et al. (Prudentia), section 3, max-min fair share',
  params: object({}),
  quantities: [
    { id: 'jain-index', title: 'Jain\'s index of media and flood', unit: '', better: null },
    { id: 'jain-index-flows', title: 'Jain\'s index of all flows', unit: '', better: null },
    { id: 'media-wire-rate', title: 'Media at the bottleneck', unit: 'bit/s', better: null },
    { id: 'flood-wire-rate', title: 'Flood at the bottleneck', unit: 'bit/s', better: null },
    { id: 'media-fair-share', title: 'Media, of its max-min fair part', unit: '', better: null },
    { id: 'flood-fair-share', title: 'Flood, of its max-min fair part', unit: '', better: null },
  ],
  async compute(record) {
    const [media, flood, flows] = await Promise.all([mediaGoodputBps(record), floodGoodputBps(record), floodFlowsBps(record)]);
    return {
      'jain-index': media === null || flood === null ? null : jainIndex(media, flood),
      'jain-index-flows': media === null || flows === null ? null : jainIndex(media, ...flows),
      'media-wire-rate': wireBps(record, mediaOf(record)), 'flood-wire-rate': wireBps(record, floodsOf(record)),
      'media-fair-share': null, 'flood-fair-share': null,
    };
  },
  besideAlone({ 'media-wire-rate': media, 'flood-wire-rate': flood }, { 'media-wire-rate': demand }, link) {
    const isSteady = link.trace === null && link.schedule.length === 0;
    if (media == null || flood == null || demand == null || !isSteady) return { 'media-fair-share': null, 'flood-fair-share': null };
    const [mediaPart, floodPart] = maxMinParts(link.rateBps, [demand, Infinity]) as [number, number];
    return { 'media-fair-share': media / mediaPart, 'flood-fair-share': flood / floodPart };
  },
};
