/**
 * Game of two calls that choose their controllers beside a download. The payoff is an estimate of a viewer's opinion.
 */
import { defineGame } from '../define.ts';

const call = { id: 'live-clip', width: 640, height: 480, frameRate: 15, maxBitrate: '2mbit' };

export default defineGame({
  title: 'Two calls choose their congestion controller',
  question: 'Which controller would a call choose for its viewer, beside a CUBIC or a BBRv3 download?',
  source: 'own; payoff by ITU-T G.1072',

  link: { rate: '8mbit', rtt: '50ms', queue: { limit: '200ms' } },
  groups: { callers: { players: 2 } },
  strategies: {
    gcc: { service: { ...call, controller: { id: 'gcc' } } },
    scream: { service: { ...call, controller: { id: 'scream-v2' } } },
    nada: { service: { ...call, controller: { id: 'nada' } } },
    'webrtc-bbr': { service: { ...call, controller: { id: 'webrtc-bbr' } } },
    copa: { service: { ...call, controller: { id: 'copa' } } },
  },
  beside: { download: { service: { id: 'iperf', congestionControl: 'cubic' } } },
  payoff: 'g1072-score-bounded',
  atLeast: 0.1,
  vary: { 'beside.download.service.congestionControl': ['cubic', 'bbr3'] },
  run: { window: '30s', leaveOut: '20s', most: 12 },
});
