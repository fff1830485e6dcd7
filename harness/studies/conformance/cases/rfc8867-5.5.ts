/** Case rfc8867-5.5: five flows with different round trips. RFC 8867, section 5.5. */
import { defineCase } from '../case.ts';

const path = (delay: `${number}ms`) => ({ link: { delay: { down: delay, up: delay } } });

export default defineCase({
  title: 'five flows with different round trips',
  source: 'RFC 8867, section 5.5',
  differs: 'Small pictures, 320x180 at 15 frames a second, so that five senders fit two cores.',
  window: '300s',
  link: { rate: '4mbit', jitter: '30ms', queue: { limit: '300ms' } },
  media: {
    'media-1': path('10ms'),
    'media-2': { ...path('25ms'), start: '10s' },
    'media-3': { ...path('50ms'), start: '20s' },
    'media-4': { ...path('100ms'), start: '30s' },
    'media-5': { ...path('150ms'), start: '40s' },
  },
  frames: { width: 320, height: 180, rate: 15 },
  expects: {
    'used-share': { says: 'converge to bit rates to accommodate all the flows' },
    'queue-wait-p95': { says: 'minimum possible latency' },
    'queue-dropped-share': { says: 'minimum possible loss' },
    'jain-index-media': { from: '60s', says: 'fairly, irrespective of the RTT' },
    'least-share': { from: '60s' },
  },
});
