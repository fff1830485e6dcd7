import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BandwidthSampler } from '../../../../../server/congestion/webrtc-bbr/bandwidth-sampler.ts';
import { near } from '../gcc/near.ts';

/** Sends packets of 1000 bytes, one every `gapMs` from `from` on. */
function send(sampler: BandwidthSampler, count: number, gapMs: number, from = { sequence: 0, atMs: 0 }): void {
  for (let i = 0; i < count; i++) sampler.onSent(from.sequence + i, from.atMs + i * gapMs, 1000, false);
}

test('a packet sent before anything was acknowledged gives no sample', () => {
  const sampler = new BandwidthSampler();
  send(sampler, 2, 10);
  assert.deepEqual(sampler.onAcked(0, 50), { bandwidthBps: 0, rttMs: 0, isAppLimited: false });
  assert.deepEqual(sampler.onAcked(1, 60), { bandwidthBps: 0, rttMs: 0, isAppLimited: false });
  assert.equal(sampler.totalAckedBytes, 2000);
});

test('the rate at which is sent, where acknowledgements come faster', () => {
  const sampler = new BandwidthSampler();
  send(sampler, 1, 10);
  sampler.onAcked(0, 100);
  send(sampler, 4, 10, { sequence: 1, atMs: 110 });
  const [, , , last] = [1, 2, 3, 4].map((sequence, i) => sampler.onAcked(sequence, 150 + i));
  // 4000 bytes since packet 0, which left at 0; they are acknowledged within 53 ms.
  near(last!.bandwidthBps, (4000 * 8000) / 140);
  assert.equal(last!.rttMs, 153 - 140);
});

test('the rate at which is acknowledged, where sending was faster', () => {
  const sampler = new BandwidthSampler();
  send(sampler, 1, 10);
  sampler.onAcked(0, 20);
  send(sampler, 4, 1, { sequence: 1, atMs: 21 });
  const samples = [1, 2, 3, 4].map((sequence, i) => sampler.onAcked(sequence, 60 + 20 * i));
  // Acknowledged since packet 0 at 20: 4000 bytes in 100 ms. Sent since packet 0: 4000 bytes in 24 ms.
  near(samples[3]!.bandwidthBps, (4000 * 8000) / 100);
});

test("packets of one feedback message count up: the last one's rate holds them all", () => {
  const sampler = new BandwidthSampler();
  send(sampler, 1, 10);
  sampler.onAcked(0, 20);
  send(sampler, 5, 0, { sequence: 1, atMs: 20 });
  const samples = [1, 2, 3, 4, 5].map(sequence => sampler.onAcked(sequence, 70));
  assert.deepEqual(
    samples.map(({ bandwidthBps }) => bandwidthBps),
    [1, 2, 3, 4, 5].map(packets => (packets * 1000 * 8000) / 50),
  );
});

test('packets that left at the same time as the reference have only the rate of acknowledgement', () => {
  const sampler = new BandwidthSampler();
  send(sampler, 1, 0);
  sampler.onAcked(0, 0);
  send(sampler, 1, 0, { sequence: 1, atMs: 0 });
  near(sampler.onAcked(1, 40).bandwidthBps, (1000 * 8000) / 40);
});

test('no time since the reference was acknowledged, no sample', () => {
  const sampler = new BandwidthSampler();
  send(sampler, 1, 0);
  sampler.onAcked(0, 50);
  send(sampler, 1, 0, { sequence: 1, atMs: 50 });
  assert.equal(sampler.onAcked(1, 50).bandwidthBps, 0);
});

test('a new flight starts the measurement anew', () => {
  const rate = (startsFlight: boolean) => {
    const sampler = new BandwidthSampler();
    send(sampler, 1, 0);
    sampler.onAcked(0, 20);
    sampler.onSent(1, 1000, 1000, startsFlight);
    sampler.onSent(2, 1010, 1000, false);
    sampler.onAcked(1, 1030);
    return sampler.onAcked(2, 1040).bandwidthBps;
  };
  // From packet 1, sent at 1000: 1000 bytes sent in 10 ms, 2000 acknowledged in 40 ms.
  near(rate(true), (2000 * 8000) / 40);
  // From packet 0, acknowledged at 20: 2000 bytes acknowledged in 1020 ms, and sent in 1010 ms.
  near(rate(false), (2000 * 8000) / 1020);
});

test('what is sent in an application-limited phase says so, until something sent later is acknowledged', () => {
  const sampler = new BandwidthSampler();
  send(sampler, 2, 10);
  sampler.onAcked(0, 20);
  sampler.onAppLimited();
  send(sampler, 2, 10, { sequence: 2, atMs: 30 });
  assert.equal(sampler.onAcked(1, 40).isAppLimited, false);
  assert.equal(sampler.isAppLimited, true);
  assert.equal(sampler.onAcked(2, 50).isAppLimited, true, 'sent while it lasted');
  assert.equal(sampler.isAppLimited, false);
});

test('lost and forgotten packets give no sample and are not acknowledged', () => {
  const sampler = new BandwidthSampler();
  send(sampler, 1, 0);
  sampler.onAcked(0, 20);
  send(sampler, 3, 10, { sequence: 1, atMs: 30 });
  sampler.onLost(1);
  sampler.forgetBefore(3);
  for (const sequence of [1, 2]) assert.equal(sampler.onAcked(sequence, 80).bandwidthBps, 0);
  assert.equal(sampler.totalAckedBytes, 1000);
  assert.ok(sampler.onAcked(3, 80).bandwidthBps > 0);
});
