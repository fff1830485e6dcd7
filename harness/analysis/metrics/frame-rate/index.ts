/**
 * Metric: frames per second that the browser presented ("the frame rate" in all texts), and that it decoded.
 *
 * The presented frames have three measures. The mean is the number of frames divided by the length of the window. The
 * harmonic rate weighs each moment by its rate, 1 / (time between the frames around the moment), so that quick frames
 * after a stop of a second do not compensate for the stop: window / sum of squared times (libwebrtc 2026-08
 * video_quality_observer2.cc, harmonic frame rate). The 1 % low is the frame rate over the longest hundredth of the
 * times between frames, a measure that players of games use: 1 / (mean of the longest 1 % of the times).
 */

import { object } from '../../../../core/schema/schema.ts';
import { growth } from '../../../../core/stats/counters.ts';
import { ascending, mean } from '../../../../core/stats/quantile.ts';
import { displayHz } from '../../../../core/text/frame-rate.ts';
import { inboundCounter } from '../../derive/inbound.ts';
import { boundedGaps, type Gap, longestGap } from '../../derive/presentation.ts';
import { presentedFrames } from '../../derive/presented-times.ts';
import type { MetricPlugin } from '../metric.ts';

/** Share of the times between frames, the longest ones, from which the low rate is computed. */
const lowRatio = 0.01;

export function harmonicRate(gaps: readonly Gap[]): number | null {
  // a time between frames that extends beyond the window is weighted by its part inside the window
  const inside = gaps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const squares = gaps.reduce((sum, { lengthMs, startMs, endMs }) => sum + lengthMs * (endMs - startMs), 0);
  return squares === 0 ? null : (inside * 1000) / squares;
}

export function lowRate(gaps: readonly Gap[]): number | null {
  const lengths = ascending(gaps.map(gap => gap.lengthMs));
  const slowest = mean(lengths.slice(-Math.max(1, Math.round(lengths.length * lowRatio))));
  return slowest === undefined || slowest === 0 ? null : 1000 / slowest;
}

export const plugin: MetricPlugin = {
  id: 'frame-rate',
  title: 'Frame rate',
  source: 'Juntima et al., section 4, figure 8; WICG video-rvfc, presentedFrames',
  params: object({}),
  reading: {
    needs: 'A call (`live-clip`, `chromium-call`).',
    cannotTell:
      'Whether the frames were smooth: a mean of 55 fps may hide one long gap. Read it together with stalls and the longest gap.',
    definitions: {
      'frame-rate':
        `Frames presented in the window divided by its length: at most ${displayHz} a second where no faster monitor is ` +
        'attached, whatever the stream has.',
      'decoded-frame-rate':
        'Growth of inbound-rtp `framesDecoded` over the window divided by its length. Higher than `frame-rate` where ' +
        'decoded frames were replaced by newer ones before the browser could present them.',
      'frame-rate-harmonic':
        'Length of the window divided by the sum of squared gaps between frames, in seconds: sum(g) / sum(g^2). ' +
        'A long gap counts more than in the mean.',
      'frame-rate-low': '1 divided by the mean of the longest 1 % of the gaps between frames.',
      'frame-gap-max':
        'Longest gap between two presented frames that touches the window. Where a callback of the browser missed ' +
        'frames, the longest that is possible.',
      'frame-gap-max-least': 'The shortest that this gap can have been. It differs only where callbacks missed frames.',
    },
  },
  quantities: [
    { id: 'frame-rate', title: 'Frame rate', unit: '1/s', better: 'higher' },
    { id: 'decoded-frame-rate', title: 'Frame rate, decoded', unit: '1/s', better: 'higher' },
    { id: 'frame-rate-harmonic', title: 'Frame rate, harmonic', unit: '1/s', better: 'higher' },
    { id: 'frame-rate-low', title: 'Frame rate, 1 % low', unit: '1/s', better: 'higher' },
    { id: 'frame-gap-max', title: 'Longest time without a new frame', unit: 'ms', better: 'lower' },
    { id: 'frame-gap-max-least', title: 'Longest time without a new frame, at least', unit: 'ms', better: 'lower' },
  ],
  async compute(record) {
    const frames = await presentedFrames(record);
    const { startMs, endMs } = record.window;
    const decoded = growth(await inboundCounter(record, 'framesDecoded'), record.window);
    const gaps = boundedGaps(frames, record.window);
    const longest = longestGap(gaps);
    return {
      'frame-rate':
        frames.length === 0
          ? null
          : frames.filter(({ timeMs }) => timeMs > startMs && timeMs <= endMs).length / record.windowS,
      'decoded-frame-rate': decoded === null ? null : decoded / record.windowS,
      'frame-rate-harmonic': harmonicRate(gaps),
      'frame-rate-low': lowRate(gaps),
      'frame-gap-max': frames.length === 0 ? null : longest.lengthMs,
      'frame-gap-max-least': frames.length === 0 ? null : longest.leastMs,
    };
  },
};
