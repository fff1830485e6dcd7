/**
 * Study of the limit of WebRTC's pacing queue over a satellite link with handovers: a call of Chromium with limits of 100
 * to 2000 ms. The field trial sets the limit by which the pacer raises its rate; the pause of the encoder keeps its own 2
 * s.
 */
import { defineExperiment } from '../../../definition/define.ts';

/** Limits of the pacing queue, ms. 2000 is what libwebrtc has by itself. */
const limitsMs = [100, 250, 500, 1000, 2000] as const;

const call = {
  id: 'chromium-call',
  clip: 'high-motion',
  clipLength: '15s',
  width: 1280,
  height: 720,
  frameRate: 30,
  startBitrate: '1mbit',
  minBitrate: '150kbit',
  maxBitrate: '8mbit',
};
const trace = { make: 'leo', seed: 1, length: '2min', startAt: 'seeded' } as const;

const paper =
  'Gottipati and Qiu, "Dynamic pacing for real-time satellite traffic", arXiv 2507.09798v2: a limit that is learned ' +
  'gave up to 3 times the bitrate and 62 % fewer freezes in emulation';

export default defineExperiment({
  title: "Limits of WebRTC's pacing queue over a satellite link",
  question: 'Does a shorter or a longer limit of the pacing queue give a call more bitrate or fewer freezes?',
  source: paper,

  link: {
    rate: '6mbit',
    queue: { limit: '250ms' },
    // 4 to 8 Mbit/s: a rate that the video of a call fills
    trace: { ...trace, times: 0.04 },
    up: { rate: '6mbit', queue: { limit: '250ms' }, trace },
  },
  service: call,
  flood: { id: 'none' },
  conditions: Object.fromEntries(
    limitsMs.map(ms => [
      `limit-${ms}`,
      { title: `${ms} ms`, service: { fieldTrials: `WebRTC-Video-Pacing/max_delay:${ms}ms/` } },
    ]),
  ),
  baseline: 'limit-2000',

  // a window has three handovers
  run: { window: '45s', startUp: '10s', repeats: 6 },

  claims: [
    {
      text: 'The fixed limit of 2000 ms harms a call: a shorter one freezes less often.',
      source: paper,
      holds: [{ metric: 'freeze-rate', condition: 'limit-250', than: 'limit-2000', expects: 'lower' }],
    },
    {
      text: 'The limit trades bitrate for freezes: a short one costs bitrate.',
      source: paper,
      holds: [{ metric: 'media-goodput', condition: 'limit-100', than: 'limit-2000', expects: 'lower' }],
    },
  ],
});
