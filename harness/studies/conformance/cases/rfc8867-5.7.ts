import { defineCase } from '../case.ts';

export default defineCase({
  title: 'beside short TCP flows',
  source: 'RFC 8867, section 5.7',
  notRun: 'no service opens the bursts of short TCP flows of RFC 8868, section 5.1',
});
