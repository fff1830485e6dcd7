/**
 * Metric: rate of an application on the link while the application was in use. One rate counts the payload that
 * arrived. The other counts all bytes that left the queue in the application's direction, with headers and repair, as
 * the link counts them.
 */
import { object } from '../../../../core/schema/schema.ts';
import { sentBytesOf } from '../../derive/queue-traffic.ts';
import { ownGoodputBps, transferGoodputBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'throughput',
  title: 'Throughput of an application',
  source: 'RFC 8868, section 3.1: rate of each flow at the bottleneck, and its goodput',
  params: object({}),
  reading: {
    needs:
      'An application that tells what it received, as every shipped one does; the rates at the bottleneck need the ' +
      'queue log.',
    cannotTell: 'Demand: an application that wants little gets little.',
    definitions: {
      goodput: 'Payload that arrived while the application was in use, times 8, divided by that time.',
      'transfer-goodput': 'The same of an application that is no call; it stands for the study if its subject is none.',
      'wire-rate': 'Bytes that left the bottleneck for the application, times 8, divided by that time.',
      'wire-share': 'These bytes as a share of all bytes that left the bottleneck in that time.',
    },
  },
  quantities: [
    { id: 'goodput', title: 'Goodput', unit: 'bit/s', better: null },
    { id: 'transfer-goodput', title: 'Transfer goodput', unit: 'bit/s', better: 'higher' },
    { id: 'wire-rate', title: 'Rate at the bottleneck', unit: 'bit/s', better: null },
    { id: 'wire-share', title: 'Share of what left the bottleneck', unit: 'ratio', better: null },
  ],
  async compute(record) {
    const own = sentBytesOf(record);
    const all = sentBytesOf(record, () => true);
    return {
      goodput: await ownGoodputBps(record),
      'transfer-goodput': await transferGoodputBps(record),
      'wire-rate': own === null ? null : (own * 8) / record.windowS,
      'wire-share': own === null || all === null || all === 0 ? null : own / all,
    };
  },
};
