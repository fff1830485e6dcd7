/**
 * Freezes as W3C defines them (webrtc-stats, freezeCount): the time between two presented pictures is at least
 * max(3 d, d + 150 ms), d the mean of the last 30 such times. Computed from presentation times, beside Chromium's own counters,
 * which take the moment of decoding and count a freeze only once the next picture is there.
 */
import { object } from '../../base/schema.ts';
import type { Window } from '../../record/trial-record.ts';
import { growth } from '../../derive/counters.ts';
import { inboundCounter } from '../../derive/inbound.ts';
import { presentationTimes } from '../../derive/presentation.ts';
import type { MetricPlugin } from '../metric.ts';

/** Frame durations in the mean. */
const meanOver = 30;
/** Fewer durations than this make no mean yet (libwebrtc 2026-08 video_quality_observer2.cc). */
const fewest = 5;
const longerByMs = 150;
const longerByFactor = 3;

/** Freezes that end inside the window, or are under way at its end; each with its part inside the window. */
export function w3cFreezes(times: readonly number[], { startMs, endMs }: Window): { lengthMs: number; insideMs: number }[] {
  const freezes: { lengthMs: number; insideMs: number }[] = [];
  const recent: number[] = [];
  const judge = (from: number, to: number) => {
    const lengthMs = to - from;
    if (recent.length >= fewest && to > startMs) {
      const mean = recent.reduce((sum, value) => sum + value, 0) / recent.length;
      if (lengthMs >= Math.max(longerByFactor * mean, mean + longerByMs)) freezes.push({ lengthMs, insideMs: to - Math.max(from, startMs) });
    }
    recent.push(lengthMs);
    if (recent.length > meanOver) recent.shift();
  };
  let before: number | undefined;
  for (const time of times) {
    if (time > endMs) break;
    if (before !== undefined) judge(before, time);
    before = time;
  }
  if (before !== undefined && before < endMs) judge(before, endMs);
  return freezes;
}

export const plugin: MetricPlugin = {
  id: 'freeze',
  title: 'Freezes',
  source: 'W3C webrtc-stats, freezeCount and totalFreezesDuration',
  params: object({}),
  quantities: [
    { id: 'freeze-count', title: 'Freezes (W3C)', unit: '', better: 'lower' },
    { id: 'freeze-time', title: 'Frozen time (W3C)', unit: 's', better: 'lower' },
    { id: 'chromium-freeze-count', title: 'Freezes, Chromium\'s counter', unit: '', better: 'lower' },
    { id: 'chromium-freeze-time', title: 'Frozen time, Chromium\'s counter', unit: 's', better: 'lower' },
  ],
  async compute(record) {
    const times = presentationTimes(await record.presentedFrames());
    const freezes = w3cFreezes(times, record.window);
    const counter = async (name: string) => growth(await inboundCounter(record, name), record.window);
    const count = await counter('freezeCount');
    return {
      'freeze-count': times.length === 0 ? null : freezes.length,
      'freeze-time': times.length === 0 ? null : freezes.reduce((sum, freeze) => sum + freeze.insideMs, 0) / 1000,
      'chromium-freeze-count': count === null ? null : Math.round(count),
      'chromium-freeze-time': await counter('totalFreezesDuration'),
    };
  },
};
