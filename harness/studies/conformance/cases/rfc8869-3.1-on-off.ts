/** Case rfc8869-3.1-on-off: wired bottleneck, a flow each way, UDP on until 60 s. */
import { defineCase } from '../case.ts';
import offOn from './rfc8869-3.1-off-on.ts';

export default defineCase({
  ...offOn,
  title: 'wired bottleneck, a flow each way, UDP on until 60 s',
  source: 'RFC 8869, section 3.1: one pair of bidirectional flows, uplink on-off CBR flow',
  beside: {
    udp: { service: { id: 'udp-flow', rate: '486kbit', packetBytes: 1433 }, direction: 'up', start: '0s', stop: '60s' },
  },
});
