/** Our sender's GCC beside Chromium's own, each alone on slow links and on one whose rate changes, and beside one TCP flow: the same links, seeds and clip. */
import { defineExperiment } from '../experiment/define.ts';
import type { LinkDefinition } from '../experiment/link.ts';

/**
 * Both senders, to the letter: another service takes none of the parameters of the one before it. The clip is not short: where it begins anew
 * Chromium's encoder makes a key frame, which fills the queue, and beside CUBIC that costs it half of its rate.
 */
const sender = { clip: 'high-motion', clipLength: '15s', width: 1280, height: 720, frameRate: 30, startBitrate: '1mbit', minBitrate: '150kbit', maxBitrate: '8mbit' };
const call = { id: 'chromium-call', ...sender };
/** Down to half and up again, half of the window for the way up. The queue keeps its bytes, which are 600 ms at the lower rate. */
const steps = { rate: '4mbit', schedule: [{ at: '7s', rate: '2mbit' }, { at: '15s', rate: '4mbit' }] } satisfies LinkDefinition;

export default defineExperiment({
  title: 'GCC of the media server and of Chromium',
  question: 'Does the media server\'s GCC take what Chromium\'s takes, on the same links and beside the same floods?',
  source: 'own; libwebrtc 2026-08 as Chromium has it is the reference',

  link: { rate: '5mbit', rtt: '50ms', queue: { limit: '300ms' } },
  service: { id: 'live-clip', ...sender },
  flood: { id: 'none' },

  conditions: {
    'live-1': { title: 'Media server, 1 Mbit/s', link: { rate: '1mbit' } },
    'call-1': { title: 'Chromium, 1 Mbit/s', link: { rate: '1mbit' }, service: call },
    'live-2': { title: 'Media server, 2 Mbit/s', link: { rate: '2mbit' } },
    'call-2': { title: 'Chromium, 2 Mbit/s', link: { rate: '2mbit' }, service: call },
    'live-5': { title: 'Media server, 5 Mbit/s' },
    'call-5': { title: 'Chromium, 5 Mbit/s', service: call },
    'live-step': { title: 'Media server, 4, 2, 4 Mbit/s', link: steps },
    'call-step': { title: 'Chromium, 4, 2, 4 Mbit/s', link: steps, service: call },
    'live-cubic': { title: 'Media server beside CUBIC', flood: { id: 'iperf3', congestionControl: 'cubic' } },
    'call-cubic': { title: 'Chromium beside CUBIC', service: call, flood: { id: 'iperf3', congestionControl: 'cubic' } },
    'live-bbr3': { title: 'Media server beside BBRv3', flood: { id: 'iperf3', congestionControl: 'bbr3' } },
    'call-bbr3': { title: 'Chromium beside BBRv3', service: call, flood: { id: 'iperf3', congestionControl: 'bbr3' } },
  },
  baseline: 'call-5',

  // a call between two browsers takes seconds longer to begin: the flood is as far for the one sender as for the other
  run: { window: '30s', startUp: '10s', floodLead: '8s', repeats: 5 },
});
