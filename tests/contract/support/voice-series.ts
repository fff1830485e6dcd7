/** The series of a voice in the made trials of the contract of metrics. */
import type { StatsRecord } from '../../../harness/record/series/stats.ts';
import {
  clipLines,
  delayed,
  heardLines,
  heardSamples,
  sentLines,
} from '../../unit/harness/analysis/derive/voice/spoken.ts';
import { endMs, startMs } from '../../unit/harness/support/record.ts';

/** Times of the sender from 1900 on, ms (NTP). */
const ntpMs = (unixMs: number) => unixMs + 2_208_988_800_000;

/**
 * The statistics with those of a voice, of which 2 % is concealed, and with the numbers by which products tell delays:
 * all are some ms too large.
 */
export const withVoice = (line: StatsRecord): StatsRecord => {
  const elapsedS = (line.timeMs - startMs) / 1000;
  return {
    ...line,
    candidatePair: { currentRoundTripTime: 0.04 },
    inbound: {
      ...line.inbound,
      jitterBufferDelay: 1.5 * elapsedS,
      jitterBufferEmittedCount: 49 * elapsedS,
      totalProcessingDelay: 2 * elapsedS,
      estimatedPlayoutTimestamp: ntpMs(line.timeMs - 45),
    },
    inboundAudio: {
      estimatedPlayoutTimestamp: ntpMs(line.timeMs - 120),
      concealedSamples: 960 * elapsedS,
      totalSamplesReceived: 48_000 * elapsedS,
      insertedSamplesForDeceleration: 200 * elapsedS,
      removedSamplesForAcceleration: 100 * elapsedS,
      packetsLost: elapsedS,
      packetsReceived: 49 * elapsedS,
      jitterBufferDelay: 4800 * elapsedS,
      jitterBufferEmittedCount: 48_000 * elapsedS,
    },
  };
};

/** Time at which the voice began. */
const spokenMs = startMs - 2000;
/** Samples that are heard of the voice between two times, with a delay of 100 ms and a gap of 300 ms. */
const heard = (fromMs: number, toMs: number) =>
  heardSamples(ms => (ms >= 5500 && ms < 5800 ? null : delayed(100)(ms)), fromMs - spokenMs, toMs - fromMs);

export const voiceSeries = (): Record<string, object[]> => ({
  'voice.clip': clipLines,
  'voice.sent': sentLines(spokenMs),
  'voice.heard': heardLines(heard(startMs - 1000, endMs), startMs - 1000),
});

/** The same with more after the window: the voice begins anew at `lateMs`, and nothing of it is heard. */
export const voiceSeriesWith = (lateMs: number): Record<string, object[]> => {
  const series = voiceSeries();
  return {
    ...series,
    'voice.sent': [...series['voice.sent']!, { ...sentLines(lateMs)[0]!, clipMs: 7 }],
    'voice.heard': [...series['voice.heard']!, ...heardLines(heard(startMs, endMs).fill(0), endMs)],
  };
};
