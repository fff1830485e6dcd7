/** Case rfc8867-5.6: beside a long TCP flow. RFC 8867, section 5.6. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'beside a long TCP flow',
  source: 'RFC 8867, section 5.6; queue of 300 ms',
  differs: 'The window begins with the media, 5 s after TCP. TCP is CUBIC, the default of Linux, in place of Reno.',
  window: '114s',
  link: { rate: '2mbit', delay: { down: '50ms', up: '50ms' }, jitter: '30ms', queue: { limit: '300ms' } },
  media: { 'media-1': {} },
  beside: { tcp: { service: { id: 'iperf', congestionControl: 'cubic' }, start: '-5s' } },
  expects: {
    'least-rate': { from: '10s', says: 'in the worst case, the minimum media bit rate' },
    'least-share': { from: '10s' },
    'beside-share': { from: '10s' },
    'used-share': {},
    'worst-voice-interruption-rate': {},
  },
});
