/** Metric: errors of the numbers by which products tell the delay of picture and voice. */
import { object } from '../../../../core/schema/schema.ts';
import { ascending, quantileOfSorted } from '../../../../core/stats/quantile.ts';
import { estimatorErrors } from '../../derive/latency-estimators.ts';
import type { MetricPlugin } from '../metric.ts';

/** Titles and definitions of the estimators. */
const estimators = {
  'jitter-buffer': {
    title: 'RTT/2 + jitterBufferDelay',
    definition:
      'half of `currentRoundTripTime` plus the growth of `jitterBufferDelay` of the video over that of ' +
      '`jitterBufferEmittedCount` between two readings, minus the mean latency of the frames presented between them',
  },
  processing: {
    title: 'RTT/2 + totalProcessingDelay',
    definition:
      'half of `currentRoundTripTime` plus the growth of `totalProcessingDelay` over that of `framesDecoded` between two ' +
      'readings, minus the mean latency of the frames presented between them',
  },
  'capture-time': {
    title: 'latency by captureTime',
    definition:
      'latency of a frame by `captureTime` of its callback, minus its latency by the time at which it was captured',
  },
  playout: {
    title: 'latency by estimatedPlayoutTimestamp',
    definition:
      'time of a reading minus `estimatedPlayoutTimestamp` of the video, minus the latency of the last frame presented ' +
      'before it',
  },
  'voice-jitter-buffer': {
    title: 'RTT/2 + jitterBufferDelay of the voice',
    definition:
      'half of `currentRoundTripTime` plus the growth of `jitterBufferDelay` of the voice over that of ' +
      '`jitterBufferEmittedCount` between two readings, minus the delay from mouth to ear of the chirp between them',
  },
  'voice-playout': {
    title: 'voice delay by estimatedPlayoutTimestamp',
    definition:
      'time of a reading minus `estimatedPlayoutTimestamp` of the voice, minus the delay from mouth to ear of the chirp ' +
      'in the second before it',
  },
  'lip-sync-playout': {
    title: 'lip-sync by estimatedPlayoutTimestamp',
    definition:
      '`estimatedPlayoutTimestamp` of the video minus that of the voice, minus the lip-sync error at the chirp in the ' +
      'second before it (as of `lip-sync-median`)',
  },
} as const;

type EstimatorId = keyof typeof estimators;
const ids = Object.keys(estimators) as EstimatorId[];

const [medianOf, p95Of] = [(id: EstimatorId) => `${id}-error-median`, (id: EstimatorId) => `${id}-error-p95`];

export const plugin: MetricPlugin = {
  id: 'latency-estimators',
  title: 'Errors of latency estimators',
  source: 'W3C webrtc-stats; WICG video-rvfc; own (the truth)',
  params: object({}),
  reading: {
    needs:
      '`live-clip` for the picture, with `audio` for the voice and the lip-sync; `voice` for the voice alone. The browser ' +
      'has to tell the number: older records have no `captureTime`.',
    cannotTell:
      'Delays of camera, screen, microphone and loudspeaker, which neither the numbers nor the truth have. The errors ' +
      'between two readings, which are a second apart; chirps come every 2 s.',
    definitions: Object.fromEntries(
      ids.flatMap(id => [
        [medianOf(id), `Median in the window of: ${estimators[id].definition}. Positive: the number is too large.`],
        [p95Of(id), `95th percentile of the size of the same error (as of \`${medianOf(id)}\`), without its sign.`],
      ]),
    ),
  },
  quantities: ids.flatMap(id => [
    { id: medianOf(id), title: `Error of ${estimators[id].title}, median`, unit: 'ms', better: null },
    {
      id: p95Of(id),
      title: `Error of ${estimators[id].title}, 95th percentile of its size`,
      unit: 'ms',
      better: 'lower' as const,
    },
  ]),
  async compute(record) {
    const errors = await estimatorErrors(record);
    return Object.fromEntries(
      ids.flatMap(id => [
        [medianOf(id), quantileOfSorted(ascending(errors[id]), 0.5) ?? null],
        [p95Of(id), quantileOfSorted(ascending(errors[id].map(Math.abs)), 0.95) ?? null],
      ]),
    );
  },
};
