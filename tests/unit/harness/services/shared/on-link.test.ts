import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rtpOnLinkBps, tcpOnLinkBps } from '../../../../../harness/services/shared/on-link.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';

test('TCP: a full segment of 1448 bytes is a frame of 1514', () => {
  assert.equal(tcpOnLinkBps(1448 * 8), 1514 * 8);
});

test('RTP by hand: 6250 bytes a frame are six packets, 76 bytes of headers each', () => {
  assert.equal(rtpOnLinkBps(1.5e6, 30), 1.5e6 + 6 * 76 * 8 * 30);
  assert.equal(rtpOnLinkBps(1176 * 8 * 30, 30), (1176 + 76) * 8 * 30, 'what goes into one packet is in one');
});

test('caps of services are those of the link: content and headers', async () => {
  const { services } = await loadRegistries();
  const cap = (id: string, given: object) => services.get(id)!.bind(given, id).capBps;
  assert.equal(cap('download', { cap: '45mbit' }), tcpOnLinkBps(45e6));
  assert.equal(cap('download', {}), null);
  assert.equal(cap('abr-video', { topRate: '8mbit' }), tcpOnLinkBps(7e6), 'the highest rung that is left');
  assert.equal(cap('chromium-call', { maxBitrate: '1.5mbit' }), rtpOnLinkBps(1.5e6, 30));
  assert.equal(cap('live-clip', { maxBitrate: '2.6mbit' }), 2.6e6, 'its controller counts headers');
});
