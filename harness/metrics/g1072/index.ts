/**
 * What ITU-T G.1072 would expect a player to say of such a stream: a planning model, given what was measured. No person was asked, and the clip
 * is no game.
 *
 * Given are the media's goodput, the presented frame rate (60 at most), the size of picture shown most of the time, the share of sent pictures
 * that were never presented, and the mean round trip by the media's own reports. A browser shows no damaged pictures, so there is no slicing.
 * Outside the model's range (0.3 to 50 Mbit/s, 10 to 60 pictures a second, 640x480 to 1920x1080, up to 400 ms) there is no score.
 */
import { object } from '../../../core/schema.ts';
import { frameLatencies } from '../../derive/frame-latencies.ts';
import { majoritySize } from '../../derive/picture-size.ts';
import { presentedTimes } from '../../derive/presented-times.ts';
import { mediaGoodputBps } from '../../derive/rates.ts';
import { pingRoundTrips, reportedRoundTrips } from '../../derive/round-trips.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { mean, median } from '../../../core/stats/quantile.ts';
import type { MetricPlugin } from '../metric.ts';
import { gamingScore, isWithinRange } from './model.ts';

/** The highest rate that the model knows: a stream that was meant to have it may be measured a hair above. */
const mostFrameRate = 60;

/** Share of the pictures sent that were not presented, 0 to 1; undefined without a list of them. A picture that is sent is due a frame latency later. */
async function frameLossRatio(record: TrialRecord, presented: number): Promise<number | undefined> {
  const latencyMs = median((await frameLatencies(record)).map(frame => frame.latencyMs));
  if (latencyMs === undefined) return undefined;
  const { startMs, endMs } = record.window;
  const due = (await record.sentFrames()).filter(({ captureMs }) => captureMs + latencyMs > startMs && captureMs + latencyMs <= endMs).length;
  return due === 0 ? undefined : Math.max(0, 1 - presented / due);
}

async function roundTripMs(record: TrialRecord): Promise<number | undefined> {
  return mean(await reportedRoundTrips(record)) ?? mean((await pingRoundTrips(record)).rttsMs);
}

async function score(record: TrialRecord): Promise<number | null> {
  const { startMs, endMs } = record.window;
  const shown = await record.presentedFrames();
  const presented = (await presentedTimes(record)).filter(time => time > startMs && time <= endMs).length;
  const size = majoritySize(shown, record.window);
  const [bitrateBps, loss, delayMs] = await Promise.all([mediaGoodputBps(record), frameLossRatio(record, presented), roundTripMs(record)]);
  if (bitrateBps === null || size === undefined || loss === undefined || delayMs === undefined) return null;
  const inputs = {
    bitrateMbps: bitrateBps / 1e6, frameRate: Math.min(mostFrameRate, presented / record.windowS), pixels: size.width * size.height,
    frameLossPercent: loss * 100, slicingLossPercent: 0, delayMs,
  };
  return isWithinRange(inputs) ? gamingScore(inputs) : null;
}

export const plugin: MetricPlugin = {
  id: 'g1072',
  title: 'ITU-T G.1072',
  source: 'ITU-T G.1072 (01/2020) with Corrigendum 1 (10/2020)',
  params: object({}),
  quantities: [{ id: 'g1072-score', title: 'Score by ITU-T G.1072, a planning model (1.3 to 4.64)', unit: '', better: 'higher' }],
  async compute(record) {
    return { 'g1072-score': await score(record) };
  },
};
