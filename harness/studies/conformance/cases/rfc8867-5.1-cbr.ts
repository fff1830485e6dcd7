/** Case rfc8867-5.1-cbr: capacity that UDP traffic takes, one flow. */
import { defineCase } from '../case.ts';

/** UDP traffic on the link of 4 Mbit/s. Its rate on the link leaves the capacities of table 1. */
const udp = (payload: `${number}kbit`) => ({ service: { id: 'udp-flow', rate: payload, packetBytes: 1433 } });

export default defineCase({
  title: 'capacity that UDP traffic takes, one flow',
  source: 'RFC 8867, section 5.1, with background non-adaptive UDP traffic',
  window: '100s',
  link: { rate: '4mbit', delay: { down: '50ms', up: '50ms' }, jitter: '30ms', queue: { limit: '300ms' } },
  media: { 'media-1': {} },
  beside: {
    'udp-1': { ...udp('2915kbit'), start: '0s', stop: '40s' },
    'udp-2': { ...udp('1457kbit'), start: '40s', stop: '60s' },
    'udp-3': { ...udp('3304kbit'), start: '60s', stop: '80s' },
    'udp-4': { ...udp('2915kbit'), start: '80s' },
  },
  expects: {
    'used-share': { says: 'converge to the capacity of the bottleneck' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': {},
    'time-to-leave-queue': {},
    'rate-variation': {},
  },
});
