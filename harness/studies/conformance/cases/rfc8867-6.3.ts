/** Case rfc8867-6.3: two bottlenecks in a row, and flows that cross one or both. RFC 8867, section 6.3. */
import { defineCase } from '../case.ts';

/** Path of a flow that crosses one of the bottlenecks: 40 ms each way. */
const shortPath = (crosses: string) => ({ delay: { down: '40ms', up: '40ms' }, crosses });

export default defineCase({
  title: 'two bottlenecks in a row',
  source: 'RFC 8867, section 6.3',
  differs:
    'The link of 8 Mbit/s between the two bottlenecks has no queue, because no flow can fill it. The delay of a flow ' +
    'comes before the first bottleneck that it crosses. Pictures are small, 320x180 at 15 frames a second, and the flows ' +
    'begin 20, 15 and 10 s before the window, since three browsers that start at once are late on two cores.',
  window: '300s',
  link: {
    rate: '2mbit',
    delay: { down: '100ms', up: '100ms' },
    jitter: '30ms',
    queue: { limit: '300ms' },
    then: [{ rate: '1500kbit', queue: { limit: '300ms' } }],
  },
  media: {
    'media-1': { start: '-20s' },
    'media-2': { start: '-15s', link: shortPath('hop-1') },
    'media-3': { start: '-10s', link: shortPath('hop-2') },
  },
  frames: { width: 320, height: 180, rate: 15 },
  expects: {
    'used-share': { says: 'full utilization at both bottleneck links' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'least-share': { from: '60s', says: 'without starving any of the three' },
    // at the first bottleneck max-min fair rates have an index of 0.94, proportionally fair ones 0.84
    'jain-index-media': {
      from: '60s',
      atLeast: 0.8,
      says: 'fair share of the available bandwidth at each bottleneck',
    },
    'worst-voice-interruption-rate': {},
  },
});
