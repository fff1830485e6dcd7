/** Case rfc8869-3.1-off-on: wired bottleneck, a flow each way, UDP on from 60 s. */
import { defineCase } from '../case.ts';
import pair from './rfc8869-3.1-pair.ts';

export default defineCase({
  ...pair,
  title: 'wired bottleneck, a flow each way, UDP on from 60 s',
  source: 'RFC 8869, section 3.1: one pair of bidirectional flows, uplink off-on CBR flow',
  differs: 'No Wi-Fi in front of the bottleneck. The RFC names no rate of the CBR flow: 500 kbit/s.',
  beside: { udp: { service: { id: 'udp-flow', rate: '486kbit', packetBytes: 1433 }, direction: 'up', start: '60s' } },
  expects: {
    'used-share': { says: 'converge to the bottleneck capacity in both directions' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': { says: 'adapt promptly to the arrival and departure of background traffic' },
    'time-to-leave-queue': {},
    'rate-variation': { says: 'no excessive oscillations' },
    'worst-voice-interruption-rate': {},
  },
});
