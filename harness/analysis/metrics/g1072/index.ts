/**
 * Metric: score that the ITU-T G.1072 model predicts for the stream. The model was made for planning; here its inputs
 * are measured. No person was asked, and the clip is no game.
 *
 * The inputs are the media's goodput, the rate of sent frames (60 at most), the frame size shown most of the time, the
 * share of sent frames that the network lost, and the mean round trip from RTCP reports. A browser shows no damaged
 * frames, so there is no slicing.
 *
 * A frame counts as lost if it was sent and never decoded, or if it fell into a gap of more than 100 ms without a new
 * frame. A browser on two busy cores leaves out some 5 % of the decoded frames, one or two at a time, whatever the
 * network does. These frames affect the frame rate, but do not count as lost. Frames in a gap are mostly frames that
 * were not decoded. The loss is therefore the larger of the two numbers and not their sum, which makes it a lower
 * bound. Outside the model's range (0.3 to 50 Mbit/s, 10 to 60 frames a second, 640x480 to 1920x1080, up to 400 ms)
 * there is no score.
 */

import { object } from '../../../../core/schema/schema.ts';
import { growth } from '../../../../core/stats/counters.ts';
import { mean, median } from '../../../../core/stats/quantile.ts';
import { ruledMs, smoothRule } from '../../../../core/vocabulary/stalls.ts';
import { presentedSeries } from '../../../record/series/frames.presented.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { frameLatencies } from '../../derive/frame-latencies.ts';
import { majoritySize } from '../../derive/frame-size.ts';
import { inboundCounter } from '../../derive/inbound.ts';
import { gapsInWindow, gapsWithoutPauses } from '../../derive/presentation.ts';
import { presentedTimes } from '../../derive/presented-times.ts';
import { ownGoodputBps } from '../../derive/rates.ts';
import { pingRoundTrips, reportedRoundTrips } from '../../derive/round-trips.ts';
import type { MetricPlugin } from '../metric.ts';
import { type GamingInputs, gamingScore, isWithinRange, lowestScore, movedIntoRange } from './model.ts';

/**
 * Highest frame rate of the model, frames per second. The measured rate of a stream may be slightly above this rate.
 */
const mostFrameRate = 60;

/**
 * Returns the number of frames due in the window, and of lost frames among them; undefined if unknown. A frame is due
 * one median frame latency after its capture.
 */
async function framesOf(record: TrialRecord): Promise<{ due: number; lost: number } | undefined> {
  const latencyMs = median((await frameLatencies(record)).map(frame => frame.latencyMs));
  const decoded = growth(await inboundCounter(record, 'framesDecoded'), record.window);
  if (latencyMs === undefined || decoded === null) return undefined;
  const { startMs, endMs } = record.window;
  const dueMs = (await record.sentFrames()).map(({ captureMs }) => captureMs + latencyMs);
  const between = (fromMs: number, toMs: number) => dueMs.filter(time => time > fromMs && time <= toMs).length;
  // gaps that the browser itself makes have at most three display periods; longer gaps have another cause
  const gapMs = ruledMs(smoothRule, record.application.frameRate);
  const gaps = gapsWithoutPauses(gapsInWindow(await presentedTimes(record), record.window), record.pauses).filter(
    ({ lengthMs }) => lengthMs > gapMs,
  );
  const due = between(startMs, endMs);
  const passedOver = gaps.reduce(
    (sum, gap) => sum + Math.max(0, between(gap.startMs, gap.endMs) - (gap.endMs < endMs ? 1 : 0)),
    0,
  ); // without the frame that ends each gap, because it was shown
  return due === 0 ? undefined : { due, lost: Math.max(0, due - decoded, passedOver) };
}

async function roundTripMs(record: TrialRecord): Promise<number | undefined> {
  return mean(await reportedRoundTrips(record)) ?? mean((await pingRoundTrips(record)).rttsMs);
}

async function inputsOf(record: TrialRecord): Promise<GamingInputs | null> {
  const size = majoritySize(await record.read(presentedSeries), record.window);
  const [bitrateBps, frames, delayMs] = await Promise.all([
    ownGoodputBps(record),
    framesOf(record),
    roundTripMs(record),
  ]);
  if (bitrateBps === null || size === undefined || frames === undefined || delayMs === undefined) return null;
  return {
    bitrateMbps: bitrateBps / 1e6,
    frameRate: Math.min(mostFrameRate, frames.due / record.windowS),
    pixels: size.width * size.height,
    frameLossPercent: (100 * frames.lost) / frames.due,
    slicingLossPercent: 0,
    delayMs,
  };
}

/** Returns true if frames were sent during the window but none was shown, although the page reports frames. */
async function showsNothing(record: TrialRecord): Promise<boolean> {
  const { startMs, endMs } = record.window;
  const isIn = (timeMs: number) => timeMs > startMs && timeMs < endMs;
  const [sent, presented] = [await record.sentFrames(), await presentedTimes(record)];
  return sent.some(({ captureMs }) => isIn(captureMs)) && presented.length > 0 && !presented.some(isIn);
}

export const plugin: MetricPlugin = {
  id: 'g1072',
  title: 'ITU-T G.1072',
  source: 'ITU-T G.1072 (01/2020) with Corrigendum 1 (10/2020)',
  params: object({}),
  reading: {
    needs:
      '`live-clip`, with 0.3 to 50 Mbit/s, 10 to 60 fps, 640x480 to 1920x1080 and a round-trip time of up to 400 ms.',
    cannotTell: 'The opinion of any person: it is a planning model for games, and the clip is no game.',
    definitions: {
      'g1072-score':
        'Score from 1.3 (bad) to 4.64 (excellent) by the formulas of the Recommendation for its most sensitive class ' +
        'of games. Inputs: media goodput, rate of sent frames, frame size, share of frames lost, mean round-trip time.',
      'g1072-score-bounded':
        'The same with inputs beyond the range of the model moved to its edge, and 1.3 if frames were sent in the window ' +
        'and none was shown there, though some were before. Where a stream is worse than the model knows, this score is ' +
        'too good, but the trial has one: in a game the worst trials must not drop out.',
    },
  },
  quantities: [
    { id: 'g1072-score', title: 'Score by ITU-T G.1072, a planning model (1.3 to 4.64)', unit: '', better: 'higher' },
    {
      id: 'g1072-score-bounded',
      title: 'Score by ITU-T G.1072, beyond the range of the model that of its edge',
      unit: '',
      better: 'higher',
    },
  ],
  async compute(record) {
    const inputs = await inputsOf(record);
    return {
      'g1072-score': inputs !== null && isWithinRange(inputs) ? gamingScore(inputs) : null,
      'g1072-score-bounded':
        inputs !== null ? gamingScore(movedIntoRange(inputs)) : (await showsNothing(record)) ? lowestScore : null,
    };
  },
};
