/** Metric: ECN marks at the bottleneck, in feedback and in getStats, and the queue delay of L4S and classic traffic. */
import { object } from '../../../../core/schema/schema.ts';
import type { EcnCounts } from '../../../../core/vocabulary/ecn.ts';
import type { QueueLogReading } from '../../../record/trial-file.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { directionOf, trafficOf } from '../../derive/queue-traffic.ts';
import { feedbackMarks, receivedMarks } from '../../derive/reported-marks.ts';
import type { MetricPlugin } from '../metric.ts';

type Marks = NonNullable<QueueLogReading['marks']>[number];

/** Returns the share of CE among the ECN-capable packets; null if there are none. */
const ceShare = (ce: number, ect: number): number | null => (ce + ect === 0 ? null : ce / (ce + ect));
/** Returns the marks of the application's packets, of the protocol with the most packets; undefined without a log. */
function ownMarks(record: TrialRecord): Marks | undefined {
  const packets = ({ leftPackets: left }: Marks) => ectOf(left) + left.ce + left['not-ect'];
  return record.file.queueLog?.marks?.filter(trafficOf([record])).sort((a, b) => packets(b) - packets(a))[0];
}

const ectOf = ({ ect1, ect0 }: EcnCounts) => ect1 + ect0;

export const plugin: MetricPlugin = {
  id: 'ecn-marks',
  title: 'ECN marks',
  source: 'RFC 3168; RFC 8888, section 3.1; RFC 9331; RFC 9332, section 2.3; W3C webrtc-stats',
  params: object({}),
  reading: {
    needs:
      'The queue log (`run.queueLog` not `off`) for marks at the bottleneck and delays; feedback of RFC 8888 for reported marks.',
    cannotTell: 'Marks of routers other than the bottleneck, and which packet of which frame was marked.',
    definitions: {
      'ecn-capable-share': "Share of the application's packets that came to the bottleneck with ECT(1), ECT(0) or CE.",
      'marked-share': 'Share of CE among the ECN-capable packets of the application that left the bottleneck.',
      'reported-marked-share': 'The same share among the packets that feedback reported to the sender.',
      'received-marked-share':
        'The same share among the packets with ECT(1) or CE that the receiving browser counts in getStats.',
      'bleached-marks':
        'Packets that were sent with ECT and arrived without, by feedback. Null if no packet came to the bottleneck with ECT.',
      'l4s-queue-delay-median':
        'Median time in the bottleneck queue of packets of all applications that came with ECT(1) or CE.',
      'l4s-queue-delay-p99': '99th percentile of the same.',
      'classic-queue-delay-p99':
        '99th percentile of the time in the bottleneck queue of all other packets, those with ECT(0) included.',
    },
  },
  quantities: [
    { id: 'ecn-capable-share', title: 'Packets with ECN', unit: 'ratio', better: null },
    { id: 'marked-share', title: 'Packets marked', unit: 'ratio', better: null, perHop: true },
    { id: 'reported-marked-share', title: 'Packets marked, by feedback', unit: 'ratio', better: null },
    { id: 'received-marked-share', title: 'Packets marked, by the receiver', unit: 'ratio', better: null },
    { id: 'bleached-marks', title: 'Packets that lost their ECN field', unit: '', better: 'lower' },
    {
      id: 'l4s-queue-delay-median',
      title: 'L4S traffic in the queue, median',
      unit: 'ms',
      better: 'lower',
      of: 'link',
      perHop: true,
    },
    {
      id: 'l4s-queue-delay-p99',
      title: 'L4S traffic in the queue, 99th percentile',
      unit: 'ms',
      better: 'lower',
      of: 'link',
      perHop: true,
    },
    {
      id: 'classic-queue-delay-p99',
      title: 'Classic traffic in the queue, 99th percentile',
      unit: 'ms',
      better: 'lower',
      of: 'link',
      perHop: true,
    },
  ],
  async compute(record) {
    const own = ownMarks(record);
    const [reported, received] = await Promise.all([feedbackMarks(record), receivedMarks(record)]);
    const came = own?.camePackets;
    const hasEct = came !== undefined && ectOf(came) + came.ce > 0;
    const all = came === undefined ? 0 : ectOf(came) + came.ce + came['not-ect'];
    return {
      'ecn-capable-share': came === undefined || all === 0 ? null : (ectOf(came) + came.ce) / all,
      'marked-share': own === undefined ? null : ceShare(own.leftPackets.ce, ectOf(own.leftPackets)),
      'reported-marked-share': reported === null ? null : ceShare(reported.ce, reported.ect),
      'received-marked-share': received === null ? null : ceShare(received.ce, received.ect),
      'bleached-marks': hasEct ? (reported?.bleached ?? null) : null,
    };
  },
  async computeLink({ file: { queueLog }, application: { direction } }) {
    const classOf = (name: 'l4s' | 'classic') =>
      queueLog?.classes?.find(each => each.class === name && directionOf(each) === direction);
    return {
      'l4s-queue-delay-median': classOf('l4s')?.delayMedianMs ?? null,
      'l4s-queue-delay-p99': classOf('l4s')?.delayP99Ms ?? null,
      'classic-queue-delay-p99': classOf('classic')?.delayP99Ms ?? null,
    };
  },
};
