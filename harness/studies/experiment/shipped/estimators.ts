/**
 * Study of the numbers by which products tell the delay of a call: how far each is from the truth of frames and chirps,
 * on an idle link, beside a flood, with loss and at a step of the rate.
 */
import { defineExperiment } from '../../../definition/define.ts';

/** Frame rate of the clip, frames per second. */
const frameRate = 30;
/** Period of a frame: a number with a larger error is wrong by a frame or more. */
const onePeriod = '33ms';
/** Voice that comes this much early is noticed (ITU-R BT.1359-1, 1998). */
const noticed = '45ms';

const all = ['idle', 'flood', 'loss', 'step'] as const;

export default defineExperiment({
  title: 'Numbers by which products tell the delay of a call, against the truth',
  question: 'Which of the numbers that a browser gives for the delay of picture and voice may be trusted, and when?',
  source: 'W3C webrtc-stats; WICG video-rvfc; ITU-R BT.1359-1 (1998)',

  link: { rate: '5mbit', rtt: '40ms', queue: { limit: '500ms' } },
  service: {
    id: 'live-clip',
    clip: 'high-motion',
    width: 640,
    height: 360,
    frameRate,
    maxBitrate: '2mbit',
    controller: { id: 'gcc' },
    audio: { bitrate: '32kbit' },
  },
  flood: { id: 'none' },

  conditions: {
    idle: { title: 'Idle link' },
    flood: { title: 'Beside CUBIC', flood: { id: 'iperf', congestionControl: 'cubic' } },
    loss: { title: '5 % random loss', link: { loss: '5%' } },
    // the queue keeps its size in bytes, so that it holds 2.5 s at the lower rate
    step: {
      title: '5, 1, 5 Mbit/s',
      link: {
        schedule: [
          { at: '15s', rate: '1mbit' },
          { at: '30s', rate: '5mbit' },
        ],
      },
    },
  },
  baseline: 'idle',
  primary: ['jitter-buffer-error-p95', 'capture-time-error-p95', 'playout-error-p95', 'processing-error-p95'],

  claims: [
    {
      text: 'On an idle link each number for the picture is within one frame period of the truth.',
      source: 'W3C webrtc-stats: jitterBufferDelay, totalProcessingDelay, estimatedPlayoutTimestamp',
      holds: ['jitter-buffer', 'processing', 'capture-time', 'playout'].map(id => ({
        metric: `${id}-error-p95`,
        condition: 'idle',
        below: onePeriod as '33ms',
      })),
    },
    {
      text: 'captureTime and estimatedPlayoutTimestamp, which follow sender reports, are so in every condition.',
      source: 'WICG video-rvfc: captureTime; W3C webrtc-stats: estimatedPlayoutTimestamp',
      holds: ['capture-time', 'playout'].flatMap(id =>
        all.map(condition => ({ metric: `${id}-error-p95`, condition, below: onePeriod as '33ms' })),
      ),
    },
    {
      text: 'Numbers with RTT/2 are not beside a flood and at a step of the rate: the queue is in one direction only.',
      holds: ['jitter-buffer', 'processing'].flatMap(id =>
        (['flood', 'step'] as const).map(condition => ({
          metric: `${id}-error-p95`,
          condition,
          above: onePeriod as '33ms',
        })),
      ),
    },
    {
      text: 'The lip-sync by estimatedPlayoutTimestamp is off by less than viewers notice, in every condition.',
      source: 'ITU-R BT.1359-1 (1998); W3C webrtc-stats: estimatedPlayoutTimestamp',
      holds: all.map(condition => ({
        metric: 'lip-sync-playout-error-p95',
        condition,
        below: noticed as '45ms',
      })),
    },
  ],

  run: { window: '45s', startUp: '10s', repeats: 6 },
});
