/** Case rfc8867-6.1: flows with priorities 2, 1 and 1. RFC 8867, section 6.1. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'flows with priorities 2, 1 and 1',
  source: 'RFC 8867, section 6.1',
  window: '120s',
  link: { rate: '3500kbit', delay: { down: '50ms', up: '50ms' }, jitter: '30ms', queue: { limit: '300ms' } },
  media: { 'media-1': { weight: 2 }, 'media-2': { start: '20s' }, 'media-3': { start: '40s' } },
  frames: { width: 480, height: 270 },
  bitrate: { max: '2mbit' },
  differs: 'The highest media rate is 2 Mbit/s, so that twice the rate of the others is possible.',
  expects: {
    'used-share': {},
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'jain-index-media': { from: '60s', says: 'a steady-state rate approximately twice that of the other two' },
    'least-share': { from: '60s' },
  },
});
