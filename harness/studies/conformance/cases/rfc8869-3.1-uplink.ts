/** Case rfc8869-3.1-uplink: wired bottleneck, one flow up. RFC 8869, section 3.1: single uplink flow. */
import { defineCase } from '../case.ts';
import pair from './rfc8869-3.1-pair.ts';

export default defineCase({
  ...pair,
  title: 'wired bottleneck, one flow up',
  source: 'RFC 8869, section 3.1: single uplink flow',
  media: { 'media-1': { direction: 'up' } },
  expects: { ...pair.expects, 'used-share': { says: 'converge to the bottleneck link capacity' } },
});
