/** Case rfc8867-6.2-5.4: three flows of one kind, with ECN. RFC 8867, section 6.2 with 5.4. */
import { defineCase } from '../case.ts';
import base from './rfc8867-5.4.ts';

export default defineCase({
  ...base,
  title: 'three flows of one kind, with ECN',
  source: 'RFC 8867, section 6.2 with 5.4',
  link: { ...base.link, queue: { limit: '300ms', aqm: 'dualpi2', ecn: true } },
  marks: true,
});
