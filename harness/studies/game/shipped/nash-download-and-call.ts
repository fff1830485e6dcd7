/** Game of downloads that maximise goodput beside a call. The study measures the harm to the viewer of the call. */
import { defineGame } from '../define.ts';

export default defineGame({
  title: 'Two downloads choose, a call suffers',
  question: 'What does the choice of two downloads cost the viewer of a call on the same link?',
  source: 'own',

  link: { rate: '8mbit', rtt: '50ms', queue: { limit: '200ms' } },
  groups: { downloads: { players: 2 } },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { service: { id: 'iperf', congestionControl: 'bbr' } },
    bbr3: { service: { id: 'iperf', congestionControl: 'bbr3' } },
  },
  beside: { call: { service: { id: 'live-clip', width: 640, height: 480, frameRate: 20, maxBitrate: '2mbit' } } },
  exhaustive: true,
  run: { window: '30s', leaveOut: '20s', most: 12 },
});
