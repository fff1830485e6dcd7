import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offerPort } from '../../../../../harness/services/chromium-call/offer-port.ts';

const candidate = (words: string) => `a=candidate:${words} generation 0 network-id 1\r\n`;
const offer = [
  'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n',
  candidate('1467250027 1 udp 2122260223 10.0.1.3 46243 typ host'),
  candidate('1467250027 1 tcp 1518280447 10.0.1.3 9 typ host tcptype active'),
].join('');

test('the port of the candidate over UDP', () => assert.equal(offerPort(offer, '10.0.1.3'), 46_243));

test('an offer without one, or with several, makes no call', () => {
  const refused = (sdp: string, message: RegExp) =>
    assert.throws(() => offerPort(sdp, '10.0.1.3'), { code: 'no-video', message });
  refused(offer.replace('udp', 'tcp'), /the caller offers no UDP port at 10\.0\.1\.3, and the tunnel carries one/);
  refused(
    offer + candidate('1467250027 2 udp 2122260222 10.0.1.3 46244 typ host'),
    /the caller offers 2 UDP ports at 10\.0\.1\.3/,
  );
});
