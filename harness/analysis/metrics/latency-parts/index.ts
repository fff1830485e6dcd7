/**
 * Metric: parts of a frame's time between capture and presentation. Each value is the median of one part over the
 * frames presented in the window.
 */

import { object } from '../../../../core/schema/schema.ts';
import { type FramePart, frameParts } from '../../../../core/vocabulary/frame-parts.ts';
import { latencyParts } from '../../derive/timeline/latency-parts.ts';
import type { MetricPlugin } from '../metric.ts';

const names: Record<FramePart, string> = {
  encoder: 'encoder',
  pacer: 'pacer',
  queue: 'bottleneck queue',
  wire: 'wire',
  repair: 'repair',
  'jitter-buffer': 'jitter buffer',
  decode: 'decoding',
};

/** Words for the start and end of each part. */
const spent: Record<FramePart, string> = {
  encoder: 'capture to the end of encoding',
  pacer: 'end of encoding to the moment when the pacer let the last packet go',
  queue: 'the last packet in the bottleneck queue',
  wire: 'the rest of the path of that packet',
  repair: 'arrival of that packet to arrival of the last repaired one',
  'jitter-buffer': 'last arrival to the start of decoding',
  decode: 'start of decoding to presentation',
};

export const plugin: MetricPlugin = {
  id: 'latency-parts',
  title: 'Parts of the frame latency',
  source: 'own; WICG video-rvfc, receiveTime and processingDuration',
  params: object({}),
  reading: {
    needs: '`live-clip`; the part in the queue needs the queue log.',
    cannotTell:
      'Exactly when decoding began: the time between the last packet and the decoding counts as jitter buffer, ' +
      'the wait for the compositor included.',
    definitions: {
      ...Object.fromEntries(
        frameParts.map(part => [
          `latency-${part}`,
          `Median over presented frames of the time spent in this part: ${spent[part]}.`,
        ]),
      ),
      'latency-frames': 'Frames presented in the window whose whole path is known.',
    },
  },
  quantities: [
    ...frameParts.map(part => ({
      id: `latency-${part}`,
      title: `Latency, ${names[part]}`,
      unit: 'ms',
      better: 'lower' as const,
    })),
    { id: 'latency-frames', title: 'Frames with a known latency of each part', unit: '', better: null },
  ],
  async compute(record) {
    const parts = await latencyParts(record);
    return {
      ...Object.fromEntries(frameParts.map(part => [`latency-${part}`, parts?.medianMs[part] ?? null])),
      'latency-frames': parts?.frames ?? null,
    };
  },
};
