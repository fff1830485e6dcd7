/** Case rfc8869-3.1-tcp: wired bottleneck, beside a TCP flow, up. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'wired bottleneck, beside a TCP flow, up',
  source: 'RFC 8869, section 3.1: one flow against one long-lived TCP flow, uplink',
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
  beside: { tcp: { service: { id: 'iperf', congestionControl: 'cubic' }, direction: 'up', start: '0s' } },
  expects: {
    'least-rate': { from: '10s', says: 'avoid congestion collapse' },
    'least-share': { from: '10s', says: 'stabilize at a fair share' },
    'beside-share': { from: '10s' },
    'used-share': {},
    'worst-voice-interruption-rate': {},
  },
});
