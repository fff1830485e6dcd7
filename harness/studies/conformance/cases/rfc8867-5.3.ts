/** Case rfc8867-5.3: congested feedback, a flow each way. RFC 8867, section 5.3. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'congested feedback, a flow each way',
  source: 'RFC 8867, section 5.3',
  differs: 'The queues keep their sizes in bytes, 300 ms at 2 Mbit/s.',
  window: '100s',
  link: {
    rate: '2mbit',
    delay: { down: '50ms', up: '50ms' },
    jitter: '30ms',
    queue: { limit: '300ms' },
    schedule: [
      { at: '20s', rate: '1mbit' },
      { at: '40s', rate: '500kbit' },
      { at: '60s', rate: '2mbit' },
    ],
    up: {
      rate: '2mbit',
      queue: 'same',
      schedule: [
        { at: '35s', rate: '800kbit' },
        { at: '70s', rate: '2mbit' },
      ],
    },
  },
  media: { forward: {}, backward: { direction: 'up' } },
  expects: {
    'used-share': { says: 'minimize the performance degradation of media flows' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': {},
    'time-to-leave-queue': {},
    'least-rate': { says: 'cope with the lack of feedback information' },
    'worst-voice-interruption-rate': {},
  },
});
