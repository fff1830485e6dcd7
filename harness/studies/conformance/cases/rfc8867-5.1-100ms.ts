/** Case rfc8867-5.1-100ms: capacity that changes, one flow, 100 ms. RFC 8867, section 5.1. */
import { defineCase } from '../case.ts';
import base from './rfc8867-5.1.ts';

export default defineCase({
  ...base,
  title: 'capacity that changes, one flow, 100 ms',
  source: 'RFC 8867, section 5.1; delay of 100 ms forward',
  link: { ...base.link, delay: { down: '100ms', up: '50ms' } },
});
