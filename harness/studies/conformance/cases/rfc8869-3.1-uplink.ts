/** Case rfc8869-3.1-uplink: wired bottleneck, one flow up. RFC 8869, section 3.1: single uplink flow. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'wired bottleneck, one flow up',
  source: 'RFC 8869, section 3.1: single uplink flow',
  differs: 'No Wi-Fi in front of the bottleneck.',
  window: '120s',
  link: {
    rate: '1mbit',
    delay: { down: '50ms', up: '50ms' },
    jitter: '30ms',
    queue: { limit: '300ms' },
    up: { rate: '1mbit', queue: 'same' },
  },
  media: { 'media-1': { direction: 'up' } },
  expects: {
    'used-share': { says: 'converge to the bottleneck link capacity' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': {},
    'rate-variation': { says: 'no excessive oscillations' },
    'worst-voice-interruption-rate': {},
  },
});
