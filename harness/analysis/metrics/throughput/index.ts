/**
 * Metric: rate of an application on the link while the application was in use, and of several applications together.
 * One rate counts the payload that arrived. The other counts all bytes that left the queue in the application's
 * direction, with headers and repair, as the link counts them.
 */
import { object } from '../../../../core/schema/schema.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { sentBytesOf } from '../../derive/queue-traffic.ts';
import { goodputBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

/** Computes the rates of the applications together, over the window and in the direction of `seen`. */
async function ratesOf(records: readonly TrialRecord[], seen: TrialRecord) {
  const own = records.length === 0 ? null : sentBytesOf(seen, records);
  const all = sentBytesOf(seen);
  return {
    goodput: await goodputBps(records, seen),
    'wire-rate': own === null ? null : (own * 8) / seen.windowS,
    'wire-share': own === null || all === null || all === 0 ? null : own / all,
  };
}

export const plugin: MetricPlugin = {
  id: 'throughput',
  title: 'Throughput',
  source: 'Juntima et al., section 3.2: throughput; RFC 8868, section 3.1: rate of each flow at the bottleneck',
  params: object({}),
  reading: {
    needs:
      'An application that tells what it received, as every shipped one does; the rates at the bottleneck need the ' +
      'queue log.',
    cannotTell: 'Demand: an application that wants little gets little.',
    definitions: {
      goodput:
        'Payload that arrived while the application was in use, times 8, divided by that time. Of a call: growth of ' +
        'inbound-rtp `bytesReceived`, RTP payload with retransmissions, without headers and padding. Of a flood: TCP ' +
        'payload that its receiving sockets took.',
      'wire-rate':
        'Bytes that left the bottleneck for the application, with headers and retransmissions and without pings, times ' +
        '8, divided by that time.',
      'wire-share': 'These bytes as a share of all bytes that left the bottleneck in that time.',
    },
  },
  quantities: [
    { id: 'goodput', title: 'Goodput', unit: 'bit/s', better: 'higher', together: true },
    { id: 'wire-rate', title: 'Rate at the bottleneck', unit: 'bit/s', better: null, together: true },
    { id: 'wire-share', title: 'Share of what left the bottleneck', unit: 'ratio', better: null, together: true },
  ],
  compute: record => ratesOf([record], record),
  computeTogether: ratesOf,
};
