/** Case rfc8869-2.2: cellular network, bad coverage. RFC 8869, section 2.2. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'cellular network, bad coverage',
  source: 'RFC 8869, section 2.2',
  notRun: 'it asks for a simulation of 21 LTE cells with their users; traces of radio links are in docs/links.md',
});
