/** Case rfc8867-5.8: a flow that pauses and resumes. RFC 8867, section 5.8. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'a flow that pauses and resumes',
  source: 'RFC 8867, section 5.8',
  differs: 'The second flow pauses, as in the table of the RFC; its text says the third.',
  window: '120s',
  link: { rate: '3500kbit', delay: { down: '50ms', up: '50ms' }, jitter: '30ms', queue: { limit: '300ms' } },
  media: { 'media-1': {}, 'media-2': { pauses: [{ from: '40s', to: '60s' }] }, 'media-3': {} },
  frames: { width: 480, height: 270 },
  expects: {
    'used-share': { says: 'the two remaining flows increase their rates and reach the maximum' },
    'queue-wait-p95': {},
    'queue-dropped-share': {},
    'time-to-converge': {},
    'time-to-fair': { from: '60s', says: 'all three flows converge to the same original fair share' },
    'jain-index-media': { from: '80s' },
    'least-share': { from: '80s' },
  },
});
