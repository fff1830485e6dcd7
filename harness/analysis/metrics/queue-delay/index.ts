/** Metric: time of packets in the bottleneck queue, and the reasons for drops, from the log of every packet there. */
import { object } from '../../../../core/schema/schema.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { dropShare, largestOf } from '../../derive/queue-traffic.ts';
import type { MetricPlugin } from '../metric.ts';

async function delaysOf(records: readonly TrialRecord[], { file }: Pick<TrialRecord, 'file'>) {
  const traffic = largestOf(file.queueLog, records);
  return {
    'queue-delay-median': traffic?.delay?.p50Ms ?? null,
    'queue-delay-p95': traffic?.delay?.p95Ms ?? null,
    'queue-delay-max': traffic?.delay?.maxMs ?? null,
    'queue-loss': traffic === undefined ? null : dropShare(traffic),
  };
}

export const plugin: MetricPlugin = {
  id: 'queue-delay',
  title: 'Queue delay',
  source: 'own; RFC 8868, section 3.1: queue delay and loss of each flow at the bottleneck',
  params: object({}),
  reading: {
    needs: 'The queue log (`run.queueLog` not `off`) and an application that sends through the bottleneck.',
    cannotTell:
      'Delays elsewhere on the path, and which packet of which frame waited. An application that uses both UDP and TCP ' +
      'has the values of the one with more bytes, several applications together those of the one with the most bytes.',
    definitions: {
      'queue-delay-median': "Median time of the application's packets in the bottleneck queue.",
      'queue-delay-p95': '95th percentile of the same.',
      'queue-delay-max': 'Longest such time.',
      'queue-loss': "Share of the application's packets that the queue dropped.",
    },
  },
  quantities: [
    {
      id: 'queue-delay-median',
      title: 'Time in the queue, median',
      unit: 'ms',
      better: 'lower',
      together: true,
      perHop: true,
    },
    {
      id: 'queue-delay-p95',
      title: 'Time in the queue, 95th percentile',
      unit: 'ms',
      better: 'lower',
      together: true,
      perHop: true,
    },
    {
      id: 'queue-delay-max',
      title: 'Time in the queue, longest',
      unit: 'ms',
      better: 'lower',
      together: true,
      perHop: true,
    },
    {
      id: 'queue-loss',
      title: 'Packets dropped by the queue',
      unit: 'ratio',
      better: 'lower',
      together: true,
      perHop: true,
    },
  ],
  compute: record => delaysOf([record], record),
  computeTogether: delaysOf,
};
