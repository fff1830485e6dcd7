import { defineCase } from '../case.ts';

export default defineCase({
  title: 'a flow that pauses and resumes',
  source: 'RFC 8867, section 5.8',
  notRun: 'no sender can pause its media and resume',
});
