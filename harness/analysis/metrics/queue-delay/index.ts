/** Metric: time of packets in the bottleneck queue, and the reasons for drops, from the log of every packet there. */
import { object } from '../../../../core/schema/schema.ts';
import { dropShare, floodsOf, mediaOf, trafficOf } from '../../derive/queue-traffic.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'queue-delay',
  title: 'Queue delay',
  source: 'own; RFC 8868, section 3.1: queue delay and loss of each flow at the bottleneck',
  params: object({}),
  reading: {
    needs: 'The queue log (`run.queueLog` not `off`) and an application that sends through the bottleneck.',
    cannotTell: 'Delays elsewhere on the path, and which packet of which frame waited.',
    definitions: {
      'media-queue-delay-median': 'Median time of media packets in the bottleneck queue.',
      'media-queue-delay-p95': '95th percentile of the same.',
      'media-queue-delay-max': 'Longest such time.',
      'media-queue-loss': 'Share of the media packets that the queue dropped.',
      'flood-queue-delay-median': 'Median time of the packets of the flood in the bottleneck queue.',
      'flood-queue-delay-p95': '95th percentile of the same.',
      'flood-queue-loss': 'Share of the packets of the flood that the queue dropped.',
    },
  },
  quantities: [
    { id: 'media-queue-delay-median', title: 'Media in the queue, median', unit: 'ms', better: 'lower' },
    { id: 'media-queue-delay-p95', title: 'Media in the queue, 95th percentile', unit: 'ms', better: 'lower' },
    { id: 'media-queue-delay-max', title: 'Media in the queue, longest', unit: 'ms', better: 'lower' },
    { id: 'media-queue-loss', title: 'Media dropped by the queue', unit: 'ratio', better: 'lower' },
    { id: 'flood-queue-delay-median', title: 'Flood in the queue, median', unit: 'ms', better: null, of: 'all' },
    { id: 'flood-queue-delay-p95', title: 'Flood in the queue, 95th percentile', unit: 'ms', better: null, of: 'all' },
    { id: 'flood-queue-loss', title: 'Flood dropped by the queue', unit: 'ratio', better: null, of: 'all' },
  ],
  async compute(record) {
    const media = trafficOf(record.file.queueLog, mediaOf(record));
    const flood = trafficOf(record.file.queueLog, floodsOf(record));
    return {
      'media-queue-delay-median': media?.delay?.p50Ms ?? null,
      'media-queue-delay-p95': media?.delay?.p95Ms ?? null,
      'media-queue-delay-max': media?.delay?.maxMs ?? null,
      'media-queue-loss': media === undefined ? null : dropShare(media),
      'flood-queue-delay-median': flood?.delay?.p50Ms ?? null,
      'flood-queue-delay-p95': flood?.delay?.p95Ms ?? null,
      'flood-queue-loss': flood === undefined ? null : dropShare(flood),
    };
  },
};
