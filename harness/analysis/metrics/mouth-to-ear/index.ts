/** Metric: delay of the voice from the speaker's mouth to the listener's ear, by the chirps in it. */
import { object } from '../../../../core/schema/schema.ts';
import { ascending, quantileOfSorted } from '../../../../core/stats/quantile.ts';
import { voiceOf } from '../../derive/voice/voice.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'mouth-to-ear',
  title: 'Mouth-to-ear delay',
  source: 'own; ITU-T G.114 (05/2003) for what a delay does to a conversation',
  params: object({}),
  reading: {
    needs:
      '`live-clip` or `chromium-call` with `audio`, or `voice`. Over `--hosts` the clocks of two machines are compared.',
    cannotTell:
      'The delays of microphone and loudspeaker, which a trial does not have, and of `chromium-call` the way from the ' +
      'fake microphone to the page. The delay of a chirp that was lost or concealed.',
    definitions: {
      'mouth-to-ear-median':
        'Median time from the begin of a chirp at the sender to its begin in the samples that the browser passes on for ' +
        'playing, over the chirps of the window, one every 2 s. The length of a packet is part of it. The sender of ' +
        '`chromium-call` is a browser: the begin of a chirp is its capture, one block (10 ms) before the browser passes ' +
        'the block on to the page.',
      'mouth-to-ear-p95': '95th percentile of the same.',
    },
  },
  quantities: [
    { id: 'mouth-to-ear-median', title: 'Mouth to ear, median', unit: 'ms', better: 'lower' },
    { id: 'mouth-to-ear-p95', title: 'Mouth to ear, 95th percentile', unit: 'ms', better: 'lower' },
  ],
  async compute(record) {
    const delays = ascending(((await voiceOf(record))?.chirps ?? []).map(({ delayMs }) => delayMs));
    return {
      'mouth-to-ear-median': quantileOfSorted(delays, 0.5) ?? null,
      'mouth-to-ear-p95': quantileOfSorted(delays, 0.95) ?? null,
    };
  },
};
