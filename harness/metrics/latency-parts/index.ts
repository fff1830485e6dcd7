/** Where the time of a picture goes between capture and presentation: the median of each part over the pictures presented in the window. */
import { object } from '../../../core/schema.ts';
import { latencyParts } from '../../derive/timeline/latency-parts.ts';
import { frameParts } from '../../derive/timeline/frame-parts.ts';
import type { FramePart } from '../../derive/timeline/frame-parts.ts';
import type { MetricPlugin } from '../metric.ts';

const names: Record<FramePart, string> = {
  'encoder': 'encoder', 'pacer': 'pacer', 'queue': 'bottleneck queue', 'wire': 'wire', 'repair': 'repair', 'jitter-buffer': 'jitter buffer', 'decode': 'decoding',
};

export const plugin: MetricPlugin = {
  id: 'latency-parts',
  title: 'Parts of the frame latency',
  source: 'own; WICG video-rvfc, receiveTime and processingDuration',
  params: object({}),
  quantities: [
    ...frameParts.map(part => ({ id: `latency-${part}`, title: `Latency, ${names[part]}`, unit: 'ms', better: 'lower' as const })),
    { id: 'latency-pictures', title: 'Pictures followed from capture to presentation', unit: '', better: null },
  ],
  async compute(record) {
    const parts = await latencyParts(record);
    return { ...Object.fromEntries(frameParts.map(part => [`latency-${part}`, parts?.medianMs[part] ?? null])), 'latency-pictures': parts?.pictures ?? null };
  },
};
