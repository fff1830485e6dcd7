import { defineCase } from '../case.ts';

export default defineCase({
  title: 'flows with priorities',
  source: 'RFC 8867, section 6.1',
  notRun: 'no sender here takes a priority (RFC 8699 couples the flows of one sender)',
});
