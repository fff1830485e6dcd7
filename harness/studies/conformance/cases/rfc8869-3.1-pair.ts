/** Case rfc8869-3.1-pair: wired bottleneck, a flow each way. RFC 8869, section 3.1: one pair of bidirectional flows. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'wired bottleneck, a flow each way',
  source: 'RFC 8869, section 3.1: one pair of bidirectional flows',
  differs: 'No Wi-Fi in front of the bottleneck.',
  window: '120s',
  link: {
    rate: '1mbit',
    delay: { down: '50ms', up: '50ms' },
    jitter: '30ms',
    queue: { limit: '300ms' },
    up: { rate: '1mbit', queue: 'same' },
  },
  media: { downlink: {}, uplink: { direction: 'up' } },
  expects: {
    'used-share': { says: 'converge to the bottleneck capacity in both directions' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': {},
    'rate-variation': { says: 'no excessive oscillations' },
    'worst-voice-interruption-rate': {},
  },
});
