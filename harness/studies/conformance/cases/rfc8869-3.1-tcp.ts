/** Case rfc8869-3.1-tcp: wired bottleneck, beside a TCP flow, up. */
import { defineCase } from '../case.ts';
import uplink from './rfc8869-3.1-uplink.ts';

export default defineCase({
  ...uplink,
  title: 'wired bottleneck, beside a TCP flow, up',
  source: 'RFC 8869, section 3.1: one flow against one long-lived TCP flow, uplink',
  beside: { tcp: { service: { id: 'iperf', congestionControl: 'cubic' }, direction: 'up', start: '0s' } },
  expects: {
    'least-rate': { from: '10s', says: 'avoid congestion collapse' },
    'least-share': { from: '10s', says: 'stabilize at a fair share' },
    'beside-share': { from: '10s' },
    'used-share': {},
    'worst-voice-interruption-rate': {},
  },
});
