import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buckets, parseTcRate } from '../../../../shaper/tc/bottleneck.ts';

test('the rate of a class as tc prints it', () => {
  // tc -s class show, iproute2 6.1
  assert.equal(parseTcRate('class htb 1:10 root leaf 10: prio 0 rate 20Mbit ceil 20Mbit burst 3025b cburst 1600b \n Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0) \n rate 0bit 0pps backlog 0b 0p requeues 0\n'), 20e6);
  assert.equal(parseTcRate('class htb 1:10 root prio 0 rate 1500Kbit ceil 1500Kbit'), 1.5e6);
  assert.equal(parseTcRate('rate 64100bit ceil'), 64_100);
  assert.equal(parseTcRate('rate 10Gbit ceil'), 10e9);
  assert.equal(parseTcRate('rate 1.25Mbit ceil'), 1.25e6);
});

test('text without a rate has none', () => {
  for (const text of ['', 'class htb 1:10 root leaf 10:', 'rate 5apples', 'separate 5Mbit', 'rate 5Mbits']) assert.equal(parseTcRate(text), undefined, text);
});

test('buckets are whole frames on slow links', () => {
  // 100 us of 40 Mbit/s are 500 bytes: less than two frames of 1514
  for (const rateBps of [64e3, 1e6, 40e6, 128e6]) assert.deepEqual(buckets(rateBps), { burstBytes: 3028, cburstBytes: 1600 });
});

test('and 100 us of the rate on fast ones', () => {
  assert.deepEqual(buckets(1e9), { burstBytes: 12_500, cburstBytes: 12_500 });
  assert.deepEqual(buckets(200e6), { burstBytes: 3028, cburstBytes: 2500 });
});
