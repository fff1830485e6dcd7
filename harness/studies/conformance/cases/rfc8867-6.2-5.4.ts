/** Case rfc8867-6.2-5.4: three flows of one kind, with ECN. RFC 8867, section 6.2 with 5.4. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'three flows of one kind, with ECN',
  source: 'RFC 8867, section 6.2 with 5.4',
  window: '120s',
  link: {
    rate: '3500kbit',
    delay: { down: '50ms', up: '50ms' },
    jitter: '30ms',
    queue: { limit: '300ms', aqm: 'dualpi2', ecn: true },
  },
  marks: true,
  media: { 'media-1': {}, 'media-2': { start: '20s' }, 'media-3': { start: '40s' } },
  frames: { width: 480, height: 270 },
  expects: {
    'used-share': { says: 'converge to an optimum bit rate to accommodate all the flows' },
    'queue-wait-p95': { says: 'minimum possible latency' },
    'queue-dropped-share': { says: 'minimum possible loss' },
    'time-to-converge': {},
    'time-to-fair': { from: '20s' },
    'jain-index-media': { from: '60s' },
    'least-share': { from: '60s' },
    'worst-voice-interruption-rate': {},
  },
});
