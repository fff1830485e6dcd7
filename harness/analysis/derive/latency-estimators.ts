/**
 * Errors of the numbers by which products tell the delay of picture and voice: what the browser says, minus the truth
 * that the record has of each frame and each chirp.
 */
import { mean } from '../../../core/stats/quantile.ts';
import { presentedSeries } from '../../record/series/frames.presented.ts';
import { type StatsRecord, statsSeries } from '../../record/series/stats.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import { frameLatencies } from './frame-latencies.ts';
import { onceFor } from './once.ts';
import { lipSync } from './voice/lip-sync.ts';
import { voiceOf } from './voice/voice.ts';

/** Milliseconds from the start of the NTP era (1900) to the Unix epoch (RFC 5905, figure 4). */
const ntpOffsetMs = 2_208_988_800_000;

/** Errors by estimator, ms: positive if the number is too large. */
type EstimatorErrors = Record<
  | 'jitter-buffer'
  | 'processing'
  | 'capture-time'
  | 'playout'
  | 'voice-jitter-buffer'
  | 'voice-playout'
  | 'lip-sync-playout',
  number[]
>;

type Statistics = StatsRecord['inbound'] | undefined;
/** A value that was true at a time, ms. */
type Truth = { timeMs: number; valueMs: number };

const numberOf = (entry: Statistics, name: string): number | undefined => {
  const value = entry?.[name];
  return typeof value === 'number' ? value : undefined;
};

/** Returns the growth of a sum of seconds over that of its count, ms; undefined if nothing was counted. */
function growthMs(before: Statistics, after: Statistics, sum: string, count: string): number | undefined {
  const [s0, s1] = [numberOf(before, sum), numberOf(after, sum)];
  const [n0, n1] = [numberOf(before, count), numberOf(after, count)];
  if (s0 === undefined || s1 === undefined || n0 === undefined || n1 === undefined || n1 <= n0) return undefined;
  return (1000 * (s1 - s0)) / (n1 - n0);
}

/** Returns the mean of the values that were true in (fromMs, toMs]; undefined if there are none. */
const meanIn = (truths: readonly Truth[], fromMs: number, toMs: number): number | undefined =>
  mean(truths.filter(({ timeMs }) => timeMs > fromMs && timeMs <= toMs).map(({ valueMs }) => valueMs));

/** Returns the errors of each estimator in the window; none where browser or record does not tell a value. */
export const estimatorErrors = onceFor(async (record: TrialRecord): Promise<EstimatorErrors> => {
  const errors: EstimatorErrors = {
    'jitter-buffer': [],
    processing: [],
    'capture-time': await captureTimeErrors(record),
    playout: [],
    'voice-jitter-buffer': [],
    'voice-playout': [],
    'lip-sync-playout': [],
  };
  const { startMs, endMs } = record.window;
  const readings = (await record.read(statsSeries)).filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs);
  const frames = (await frameLatencies(record)).map(({ timeMs, latencyMs }) => ({ timeMs, valueMs: latencyMs }));
  const chirps = ((await voiceOf(record))?.chirps ?? []).map(({ spokenMs, delayMs }) => ({
    timeMs: spokenMs + delayMs,
    valueMs: delayMs,
  }));
  const syncs = (await lipSync(record)).map(({ heardMs, errorMs }) => ({ timeMs: heardMs, valueMs: errorMs }));
  const serverOffsetMs = record.own?.clocks?.server.offsetMs ?? 0;
  /** Age of what is played at a reading, ms: the browser gives the sender's time of it, from 1900 on. */
  const playoutMs = (timeMs: number, entry: Statistics) => {
    const value = numberOf(entry, 'estimatedPlayoutTimestamp');
    return value === undefined ? undefined : timeMs - (value - ntpOffsetMs + serverOffsetMs);
  };
  const add = (id: keyof EstimatorErrors, estimateMs: number | undefined, truthMs: number | undefined) => {
    if (estimateMs !== undefined && truthMs !== undefined) errors[id].push(estimateMs - truthMs);
  };
  for (const [i, after] of readings.entries()) {
    const before = readings[i - 1];
    if (before === undefined) continue;
    const [fromMs, toMs] = [before.timeMs, after.timeMs];
    const [frame, chirp] = [meanIn(frames, fromMs, toMs), meanIn(chirps, fromMs, toMs)];
    const rttS = numberOf(after.candidatePair, 'currentRoundTripTime');
    const plusHalfRtt = (heldMs: number | undefined) =>
      rttS === undefined || heldMs === undefined ? undefined : 500 * rttS + heldMs;
    const [video, voice] = [playoutMs(toMs, after.inbound), playoutMs(toMs, after.inboundAudio)];
    const held = (of: 'inbound' | 'inboundAudio') =>
      growthMs(before[of], after[of], 'jitterBufferDelay', 'jitterBufferEmittedCount');
    add('jitter-buffer', plusHalfRtt(held('inbound')), frame);
    add(
      'processing',
      plusHalfRtt(growthMs(before.inbound, after.inbound, 'totalProcessingDelay', 'framesDecoded')),
      frame,
    );
    // the number is about the frame that is shown when the statistics are read
    add('playout', video, frames.findLast(({ timeMs }) => timeMs > fromMs && timeMs <= toMs)?.valueMs);
    add('voice-jitter-buffer', plusHalfRtt(held('inboundAudio')), chirp);
    add('voice-playout', voice, chirp);
    add(
      'lip-sync-playout',
      video === undefined || voice === undefined ? undefined : voice - video,
      meanIn(syncs, fromMs, toMs),
    );
  }
  return errors;
});

/** Returns the errors of the latency by `captureTime`, the browser's estimate of when a frame was captured. */
async function captureTimeErrors(record: TrialRecord): Promise<number[]> {
  const { startMs, endMs } = record.window;
  const captured = new Map((await record.sentFrames()).map(frame => [frame.rtpTimestamp, frame.captureMs]));
  return (await record.read(presentedSeries)).flatMap(({ presentationMs, rtpTimestamp, captureTimeMs }) => {
    const captureMs = rtpTimestamp === null ? undefined : captured.get(rtpTimestamp);
    return captureMs === undefined || captureTimeMs === undefined || presentationMs <= startMs || presentationMs > endMs
      ? []
      : [captureMs - captureTimeMs];
  });
}
