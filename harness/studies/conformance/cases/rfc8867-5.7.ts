/** Case rfc8867-5.7: beside short TCP flows. RFC 8867, section 5.7. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'beside short TCP flows',
  source: 'RFC 8867, section 5.7; files and pauses of RFC 8868, section 5.1',
  differs: 'The window begins with the media, 5 s after TCP. TCP is CUBIC, the default of Linux, in place of Reno.',
  window: '295s',
  link: { rate: '2mbit', delay: { down: '50ms', up: '50ms' }, jitter: '30ms', queue: { limit: '300ms' } },
  media: { 'media-1': {}, 'media-2': {} },
  beside: {
    web: { service: { id: 'short-flows', connections: 1, sources: 10, on: 2 }, start: '-5s' },
  },
  expects: {
    'least-rate': { from: '10s', says: 'streaming at least at the minimum media bit rate' },
    'jain-index-media': { from: '10s' },
    'used-share': {},
    'worst-voice-interruption-rate': {},
  },
});
