/** Case rfc8869-2.1: cellular network, varying load. RFC 8869, section 2.1. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'cellular network, varying load',
  source: 'RFC 8869, section 2.1',
  notRun: 'it asks for a simulation of 21 LTE cells with their users; traces of radio links are in docs/links.md',
});
