/**
 * Study of GCC in this project's sender and in Chromium, each alone on slow links and on a link whose rate changes.
 * Both have the same links, seeds and clip.
 */
import { defineExperiment } from '../../../definition/define.ts';
import type { LinkDefinition } from '../../../definition/link.ts';

/**
 * Returns the definitions of both senders in full, since a service inherits no parameters from another service. The
 * clip is long, because Chromium's encoder makes a key frame at each restart of the clip, and this fills the queue.
 */
function senders(width: number, height: number) {
  const sender = {
    clip: 'high-motion',
    clipLength: '15s',
    width,
    height,
    frameRate: 30,
    startBitrate: '1mbit',
    minBitrate: '150kbit',
    maxBitrate: '8mbit',
  };
  return { live: { id: 'live-clip', ...sender }, call: { id: 'chromium-call', ...sender } };
}

const large = senders(1280, 720);
/**
 * Senders with frames for slow links. Larger frames of this clip need 1.5 Mbit/s at the coarsest quantizer of H.264, so
 * the study would compare encoders instead of controllers.
 */
export const small = senders(640, 360);
/**
 * Link whose rate is halved and then restored; half of the window follows the increase. The size of the queue in bytes
 * is constant; it is 600 ms at the lower rate.
 */
const steps = {
  rate: '4mbit',
  schedule: [
    { at: '7s', rate: '2mbit' },
    { at: '15s', rate: '4mbit' },
  ],
} satisfies LinkDefinition;

export default defineExperiment({
  title: 'GCC of the media server and of Chromium',
  question: "Does the media server's GCC take what Chromium's takes, on the same links?",
  source: 'own; libwebrtc 2026-08 as Chromium has it is the reference',

  link: { rate: '5mbit', rtt: '50ms', queue: { limit: '300ms' } },
  service: large.live,
  flood: { id: 'none' },

  // each is compared with Chromium on the same link
  conditions: {
    'live-1': { title: 'Media server, 1 Mbit/s', baseline: 'call-1', link: { rate: '1mbit' }, service: small.live },
    'call-1': { title: 'Chromium, 1 Mbit/s', link: { rate: '1mbit' }, service: small.call },
    'live-2': { title: 'Media server, 2 Mbit/s', baseline: 'call-2', link: { rate: '2mbit' }, service: small.live },
    'call-2': { title: 'Chromium, 2 Mbit/s', link: { rate: '2mbit' }, service: small.call },
    'live-5': { title: 'Media server, 5 Mbit/s', baseline: 'call-5' },
    'call-5': { title: 'Chromium, 5 Mbit/s', service: large.call },
    'live-step': { title: 'Media server, 4, 2, 4 Mbit/s', baseline: 'call-step', link: steps },
    'call-step': { title: 'Chromium, 4, 2, 4 Mbit/s', link: steps, service: large.call },
  },
  primary: ['goodput'],
  claims: [
    {
      text: "On each link the media server's GCC takes what Chromium's takes, within 10 %.",
      holds: ['1', '2', '5', 'step'].map(link => ({
        metric: 'goodput',
        condition: `live-${link}`,
        than: `call-${link}`,
        expects: 'alike',
      })),
    },
  ],

  run: { window: '30s', startUp: '10s', repeats: 6 },
});
