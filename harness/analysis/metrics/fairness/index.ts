/**
 * Metric: how media and floods share the link.
 *
 * Jain's index measures whether all parties have the same rate, whatever rate they can use. The max-min fair part
 * measures whether each party has the rate that it can use, or else as much as the others: a stream that uses 7 Mbit/s
 * alone is not entitled to half of 40 Mbit/s. The demand of a stream is its rate at the queue in the baseline, which
 * has no flood. All rates are computed from the bytes that left the queue, as the link counts them, so headers and
 * repair are included. Every application that sends in the same direction for the whole window is a party, whatever the
 * number of its flows (Philip et al., section 3). An application like the stream has the same demand as the stream; any
 * other application has an unlimited demand. A link whose rate changes has no single capacity, and therefore no parts
 * here.
 */
import { object } from '../../../../core/schema/schema.ts';
import { jainIndex, maxMinParts } from '../../../../core/stats/fair-share.ts';
import type { PartyKind, Sharing } from '../../../definition/sharing.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { directionOf, floodsOf, mediaOf, sentBytesOf } from '../../derive/queue-traffic.ts';
import { floodFlowsBps, floodGoodputBps, mediaGoodputBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

/**
 * Returns the rate at which the traffic of a party left the queue, bit/s. `kind`: test for the traffic. Null without a
 * queue log or without such traffic.
 */
function wireBps({ file, windowS }: TrialRecord, kind: ReturnType<typeof mediaOf>): number | null {
  const traffic = (file.queueLog?.traffic ?? []).filter(kind);
  return traffic.length === 0 ? null : (traffic.reduce((sum, { sentBytes }) => sum + sentBytes, 0) * 8) / windowS;
}

/**
 * Returns Jain's index of all applications that send in the direction of the record's application, from the bytes of
 * each application that left the queue. Null without a queue log, or if there is only one application.
 */
function jainOfApplications(record: TrialRecord): number | null {
  const { applications } = record.file.condition;
  const bytes = applications
    .filter(({ direction }) => direction === record.application.direction)
    .map(({ name }) => sentBytesOf(record.as(name)));
  return bytes.length < 2 || bytes.includes(null) ? null : jainIndex(...(bytes as number[]));
}

/** Returns the fair rate of the subject, and the fair rate of all floods together, bit/s. */
function fairParts({ capacityBps, parties }: Sharing, demandBps: number): { subject: number; floods: number } {
  const parts = maxMinParts(
    capacityBps,
    parties.map(kind => (kind === 'subject' || kind === 'alike' ? demandBps : Infinity)),
  );
  const of = (wanted: PartyKind) => parts.filter((_, k) => parties[k] === wanted).reduce((sum, part) => sum + part, 0);
  return { subject: of('subject'), floods: of('flood') };
}

export const plugin: MetricPlugin = {
  id: 'fairness',
  title: 'Fairness',
  source: 'Juntima et al., section 3.2, J of media and flood; Philip et al. (Prudentia), section 3, max-min fair share',
  params: object({}),
  reading: {
    needs:
      'A flood or several applications. Rates at the bottleneck need the queue log, ' +
      'and the max-min fair shares a baseline in which the subject runs alone with the same parameters, a link of constant rate, and applications without `start` and `stop`.',
    cannotTell:
      'Whether the shares are desirable. A video stream that needs little has a low index beside a download and may ' +
      'still see perfect video.',
    definitions: {
      'jain-index':
        "Jain's index of the goodput of the media and of the flood (all flows together): " +
        '(x1 + x2)^2 / (2 (x1^2 + x2^2)). 1 is equal, 0.5 is all for one.',
      'jain-index-flows':
        "Jain's index of the goodput of the media and of each flow of the flood: (sum x)^2 / (n sum x^2).",
      'jain-index-applications':
        "Jain's index of the bytes that left the bottleneck for each application in the same direction.",
      'media-wire-rate':
        'Bytes of the media that left the bottleneck, with headers and retransmissions, times 8, divided by the window.',
      'flood-wire-rate': 'The same for the flood.',
      'media-fair-share':
        'Rate of the media at the bottleneck divided by its max-min fair share, where its demand is its rate in the baseline.',
      'flood-fair-share':
        'Rate of the flood at the bottleneck divided by its max-min fair share, where its demand is unlimited.',
    },
  },
  quantities: [
    { id: 'jain-index', title: "Jain's index of media and flood", unit: '', better: null, of: 'all' },
    { id: 'jain-index-flows', title: "Jain's index of all flows", unit: '', better: null, of: 'all' },
    { id: 'jain-index-applications', title: "Jain's index of all applications", unit: '', better: null, of: 'all' },
    { id: 'media-wire-rate', title: 'Media at the bottleneck', unit: 'bit/s', better: null },
    { id: 'flood-wire-rate', title: 'Flood at the bottleneck', unit: 'bit/s', better: null, of: 'all' },
    { id: 'media-fair-share', title: 'Media: share of its max-min fair share', unit: '', better: null, of: 'all' },
    { id: 'flood-fair-share', title: 'Flood: share of its max-min fair share', unit: '', better: null, of: 'all' },
  ],
  async compute(record) {
    const [media, flood, flows] = await Promise.all([
      mediaGoodputBps(record),
      floodGoodputBps(record),
      floodFlowsBps(record),
    ]);
    return {
      'jain-index': media === null || flood === null ? null : jainIndex(media, flood),
      'jain-index-flows': media === null || flows === null ? null : jainIndex(media, ...flows),
      'jain-index-applications': jainOfApplications(record),
      'media-wire-rate': wireBps(record, mediaOf(record)),
      'flood-wire-rate': wireBps(
        record,
        kind => floodsOf(record)(kind) && directionOf(kind) === record.application.direction,
      ),
      'media-fair-share': null,
      'flood-fair-share': null,
    };
  },
  besideAlone({ 'media-wire-rate': media, 'flood-wire-rate': flood }, { 'media-wire-rate': demand }, sharing) {
    const parts =
      media == null || flood == null || demand == null || sharing === null ? null : fairParts(sharing, demand);
    return {
      'media-fair-share': parts === null ? null : media! / parts.subject,
      'flood-fair-share': parts === null ? null : flood! / parts.floods,
    };
  },
};
