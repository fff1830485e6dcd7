/** Study of WebRTC inside a QUIC tunnel beside a TCP download that shares the link with the tunnel. */
import { defineExperiment } from '../../../definition/define.ts';
import { carriers, service } from './quic-capacity.ts';

export default defineExperiment({
  title: 'WebRTC inside QUIC beside a CUBIC and a BBRv3 download',
  question: 'Does a tunnel help or harm the stream inside it where a download fills the same link?',
  source: 'own',

  link: { rate: '5mbit', rtt: '20ms', queue: { limit: '125kB' } },
  service,
  flood: { id: 'iperf', congestionControl: 'cubic', flows: 1 },
  conditions: carriers,
  baseline: 'udp',
  vary: { 'flood.congestionControl': ['cubic', 'bbr3'] },

  run: { window: '20s', startUp: '10s', floodLead: '8s', repeats: 6 },
});
