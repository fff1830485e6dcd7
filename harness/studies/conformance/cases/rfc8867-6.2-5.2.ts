/** Case rfc8867-6.2-5.2: capacity that changes, two flows, with ECN. RFC 8867, section 6.2 with 5.2. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'capacity that changes, two flows, with ECN',
  source: 'RFC 8867, section 6.2 with 5.2; delay of 50 ms',
  differs: 'The queue keeps its size in bytes, 300 ms at 4 Mbit/s: it has 1.2 s at 1 Mbit/s.',
  window: '125s',
  link: {
    rate: '4mbit',
    delay: { down: '50ms', up: '50ms' },
    jitter: '30ms',
    queue: { limit: '300ms', aqm: 'dualpi2', ecn: true },
    schedule: [
      { at: '25s', rate: '2mbit' },
      { at: '50s', rate: '3500kbit' },
      { at: '75s', rate: '1mbit' },
      { at: '100s', rate: '2mbit' },
    ],
  },
  marks: true,
  media: { 'media-1': {}, 'media-2': {} },
  expects: {
    'used-share': { says: 'stabilize around their maximum bit rate' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': { says: 'expected to ramp up again' },
    'time-to-leave-queue': {},
    'rate-variation': {},
    'jain-index-media': { from: '10s' },
    'worst-voice-interruption-rate': {},
  },
});
