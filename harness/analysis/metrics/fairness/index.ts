/**
 * Metric: how applications share the link.
 *
 * Jain's index measures whether all parties have the same rate, whatever rate they can use. The max-min fair part
 * measures whether each party has the rate that it can use, or else as much as the others: a stream that uses 7 Mbit/s
 * alone is not entitled to half of 40 Mbit/s. The demand of the study's subject is its rate at the queue in the
 * baseline, in which it runs alone. All rates are computed from the bytes that left the queue, as the link counts them,
 * so headers and repair are included. Every application that sends in the same direction for the whole window is a
 * party, whatever the number of its flows (Philip et al., section 3). An application like the subject has the same
 * demand as the subject; any other application has an unlimited demand. A link whose rate changes has no single
 * capacity, and therefore no parts here.
 */
import { object } from '../../../../core/schema/schema.ts';
import { jainIndex, maxMinShares } from '../../../../core/stats/fair-share.ts';
import { allOthers, valuesOf } from '../../../../core/vocabulary/subject.ts';
import type { Sharing } from '../../../definition/sharing.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { sentBytesOf } from '../../derive/queue-traffic.ts';
import { flowsBps, goodputBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

/**
 * Returns Jain's index of all applications that send in the direction of the record's application, from the bytes of
 * each application that left the queue. Null without a queue log, or if there is only one application.
 */
function jainOfApplications(record: TrialRecord): number | null {
  const { direction } = record.application;
  const parties = [record, ...record.others()].filter(
    ({ application, crossesIt }) => application.direction === direction && crossesIt,
  );
  const bytes = parties.map(party => sentBytesOf(record, [party]));
  return bytes.length < 2 || bytes.includes(null) ? null : jainIndex(...(bytes as number[]));
}

/** Returns the fair rate of each party by its name, bit/s. */
function fairParts({ bottlenecks, parties }: Sharing, demandBps: number): Map<string, number> {
  const parts = maxMinShares(
    bottlenecks,
    parties.map(({ isAlike }) => (isAlike ? demandBps : Infinity)),
  );
  return new Map(parties.map(({ name }, k) => [name, parts[k]!]));
}

export const plugin: MetricPlugin = {
  id: 'fairness',
  title: 'Fairness',
  source:
    'Juntima et al., section 3.2, J of a stream and a flood; Philip et al. (Prudentia), section 3, max-min fair share',
  params: object({}),
  reading: {
    needs:
      'Several applications. Rates at the bottleneck need the queue log, and the max-min fair shares a baseline in ' +
      'which the subject runs alone with the same parameters, a link of constant rate, and applications without ' +
      '`start` and `stop`.',
    cannotTell:
      'Whether the shares are desirable. A video stream that needs little has a low index beside a download and may ' +
      'still see perfect video.',
    definitions: {
      'jain-index':
        "Jain's index of the goodput of the subject and of the others (all flows together): " +
        '(x1 + x2)^2 / (2 (x1^2 + x2^2)). 1 is equal, 0.5 is all for one.',
      'jain-index-flows':
        "Jain's index of the goodput of the subject and of each flow of the others: (sum x)^2 / (n sum x^2).",
      'jain-index-applications':
        "Jain's index of the bytes that left the bottleneck for each application in the same direction.",
      'fair-share':
        'Rate at the bottleneck divided by the max-min fair share. The demand of the subject, and of an application ' +
        'like it, is its rate in the baseline; that of any other application is unlimited.',
    },
  },
  quantities: [
    { id: 'jain-index', title: "Jain's index of subject and others", unit: '', better: null, of: 'all' },
    { id: 'jain-index-flows', title: "Jain's index of all flows", unit: '', better: null, of: 'all' },
    { id: 'jain-index-applications', title: "Jain's index of all applications", unit: '', better: null, of: 'all' },
    { id: 'fair-share', title: 'Share of its max-min fair share', unit: '', better: null, together: true },
  ],
  async compute(record) {
    const others = record.others();
    const [own, all, flows] = await Promise.all([
      goodputBps([record], record),
      goodputBps(others, record),
      flowsBps(others, record),
    ]);
    return {
      'jain-index': own === null || all === null ? null : jainIndex(own, all),
      'jain-index-flows': own === null || flows === null ? null : jainIndex(own, ...flows),
      'jain-index-applications': jainOfApplications(record),
      'fair-share': null,
    };
  },
  computeTogether: async () => ({ 'fair-share': null }),
  besideAlone(trial, { 'wire-rate': demandBps }, sharing) {
    const isShared = demandBps != null && sharing !== null && sharing.parties.length > 1;
    const parts = isShared ? fairParts(sharing, demandBps) : new Map<string, number>();
    const { subject = '' } = sharing ?? {};
    const share = (of: string | undefined, names: readonly string[]) => {
      const rateBps = valuesOf(trial, of, subject)?.['wire-rate'];
      const fairBps = names.reduce((sum, name) => sum + (parts.get(name) ?? 0), 0);
      return { 'fair-share': rateBps == null || fairBps === 0 ? null : rateBps / fairBps };
    };
    const names = Object.keys(trial.others);
    // their rate together is that at the first bottleneck of the subject
    const first = sharing?.bottlenecks
      .map(({ users }) => users.map(k => sharing.parties[k]!.name))
      .find(users => users.includes(subject));
    return {
      metrics: share(undefined, [subject]),
      others: Object.fromEntries(names.map(name => [name, share(name, [name])])),
      together: share(
        allOthers,
        names.filter(name => first?.includes(name)),
      ),
    };
  },
};
