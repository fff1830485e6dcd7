/** Case rfc8867-5.1: capacity that changes, one flow. RFC 8867, section 5.1. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'capacity that changes, one flow',
  source: 'RFC 8867, section 5.1; delay of 50 ms',
  differs: 'The queue keeps its size in bytes, 300 ms at 1 Mbit/s: it has 500 ms at 0.6 and 120 ms at 2.5 Mbit/s.',
  window: '100s',
  link: {
    rate: '1mbit',
    delay: { down: '50ms', up: '50ms' },
    jitter: '30ms',
    queue: { limit: '300ms' },
    schedule: [
      { at: '40s', rate: '2500kbit' },
      { at: '60s', rate: '600kbit' },
      { at: '80s', rate: '1mbit' },
    ],
  },
  media: { 'media-1': {} },
  expects: {
    'used-share': { says: 'converge to the capacity of the bottleneck' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': { says: 'detect the path capacity constraint, converge' },
    'time-to-leave-queue': {},
    'rate-variation': { says: 'avoid unwanted media rate oscillation' },
    'worst-voice-interruption-rate': {},
  },
});
