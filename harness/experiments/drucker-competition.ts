/** GCC, WebRTC-BBR and its variants beside a CUBIC download, on the paper's two links. */
import { defineExperiment } from '../experiment/define.ts';

export default defineExperiment({
  title: 'WebRTC-BBR, its variants and GCC beside a CUBIC download',
  question: 'What does a download leave to each controller, on a fast link and on a slow one, both with deep buffers?',
  source: 'Drucker et al., "Investigating WebRTC BBR as an alternative to GCC for live video streaming": Figures 2, 5, 6 and 7',

  link: { rate: '5mbit', rtt: '100ms', queue: { limit: '1MB' } },
  service: { id: 'live-clip', clip: 'bigbuckbunny', frameRate: 30, maxBitrate: '1300kbit', startBitrate: '300kbit', minBitrate: '50kbit', controller: { id: 'gcc' } },
  flood: { id: 'none' },

  conditions: {
    'fast-gcc': { title: 'GCC, 5 Mbit/s' },
    'fast-bbr': { title: 'WebRTC-BBR, 5 Mbit/s', service: { controller: { id: 'webrtc-bbr' } } },
    'fast-off': { title: 'WebRTC-BBR without recovery, 5 Mbit/s', service: { controller: { id: 'webrtc-bbr', recovery: 'off' } } },
    'fast-gcc-tcp': { title: 'GCC, 5 Mbit/s, CUBIC', flood: { id: 'iperf3', congestionControl: 'cubic' } },
    'fast-bbr-tcp': { title: 'WebRTC-BBR, 5 Mbit/s, CUBIC', service: { controller: { id: 'webrtc-bbr' } }, flood: { id: 'iperf3', congestionControl: 'cubic' } },
    'fast-off-tcp': { title: 'WebRTC-BBR without recovery, 5 Mbit/s, CUBIC', service: { controller: { id: 'webrtc-bbr', recovery: 'off' } }, flood: { id: 'iperf3', congestionControl: 'cubic' } },
    'slow-gcc': { title: 'GCC, 500 kbit/s', link: { rate: '500kbit', rtt: '50ms', queue: { limit: '100kB' } } },
    'slow-bbr': { title: 'WebRTC-BBR, 500 kbit/s', link: { rate: '500kbit', rtt: '50ms', queue: { limit: '100kB' } }, service: { controller: { id: 'webrtc-bbr' } } },
    'slow-off': { title: 'WebRTC-BBR without recovery, 500 kbit/s', link: { rate: '500kbit', rtt: '50ms', queue: { limit: '100kB' } }, service: { controller: { id: 'webrtc-bbr', recovery: 'off' } } },
    'slow-gcc-tcp': { title: 'GCC, 500 kbit/s, CUBIC', link: { rate: '500kbit', rtt: '50ms', queue: { limit: '100kB' } }, flood: { id: 'iperf3', congestionControl: 'cubic' } },
    'slow-bbr-tcp': { title: 'WebRTC-BBR, 500 kbit/s, CUBIC', link: { rate: '500kbit', rtt: '50ms', queue: { limit: '100kB' } }, service: { controller: { id: 'webrtc-bbr' } }, flood: { id: 'iperf3', congestionControl: 'cubic' } },
    'slow-off-tcp': {
      title: 'WebRTC-BBR without recovery, 500 kbit/s, CUBIC', link: { rate: '500kbit', rtt: '50ms', queue: { limit: '100kB' } },
      service: { controller: { id: 'webrtc-bbr', recovery: 'off' } }, flood: { id: 'iperf3', congestionControl: 'cubic' },
    },
  },
  baseline: 'fast-gcc',

  run: { window: '60s', startUp: '10s', repeats: 1 },
});
