/** Case rfc8867-6.2-5.1: capacity that changes, one flow, with ECN. RFC 8867, section 6.2 with 5.1. */
import { defineCase } from '../case.ts';
import base from './rfc8867-5.1.ts';

export default defineCase({
  ...base,
  title: 'capacity that changes, one flow, with ECN',
  source: 'RFC 8867, section 6.2 with 5.1; delay of 50 ms',
  link: { ...base.link, queue: { limit: '300ms', aqm: 'dualpi2', ecn: true } },
  marks: true,
});
