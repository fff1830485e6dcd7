/** Case rfc8867-5.6-1000ms: beside a long TCP flow, deep queue. RFC 8867, section 5.6. */
import { defineCase } from '../case.ts';
import base from './rfc8867-5.6.ts';

export default defineCase({
  ...base,
  title: 'beside a long TCP flow, deep queue',
  source: 'RFC 8867, section 5.6; queue of 1000 ms',
  link: { ...base.link, queue: { limit: '1s' } },
});
