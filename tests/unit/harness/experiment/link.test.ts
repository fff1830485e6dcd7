import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../harness/base/schema.ts';
import { describeLink, linkSchema, queueLimitForms } from '../../../../harness/experiment/link.ts';

const link = (limit: string, rate = '40mbit', loss = '0%') => check(linkSchema, { rate, queue: { limit }, loss }, 'link');

test('a limit in packets, bytes or milliseconds is known in all three', () => {
  // 1000 frames of 1514 bytes; at 40 Mbit/s, 5000 bytes drain in a millisecond
  assert.deepEqual(queueLimitForms(link('1000packets')), { packets: 1000, bytes: 1_514_000, ms: 1_514_000 / 5000 });
  assert.deepEqual(queueLimitForms(link('1514kB')), { packets: 1000, bytes: 1_514_000, ms: 302.8 });
  assert.deepEqual(queueLimitForms(link('100ms')), { packets: 500_000 / 1514, bytes: 500_000, ms: 100 });
  assert.equal(queueLimitForms(link('100ms', '1mbit')).bytes, 12_500);
});

test('a link in one line', () => {
  assert.equal(describeLink(link('1000packets')), '40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms), no random loss');
  assert.equal(describeLink(link('1MB', '5mbit', '2%')), '5 Mbit/s, FIFO 1000 kB (661 full packets, 1.6 s), random loss 2 %');
  assert.equal(describeLink(link('250ms', '20mbit', '0.5%')), '20 Mbit/s, FIFO 625 kB (413 full packets, 250 ms), random loss 0.5 %');
});

test('a link without loss is one without the word', () => {
  assert.equal(check(linkSchema, { rate: '1mbit', queue: { limit: '10packets' } }, 'link').lossRatio, 0);
});

test('a queue that holds no full packet, and rates and losses out of range, are refused', () => {
  const refused = (value: unknown, message: RegExp) => assert.throws(() => check(linkSchema, value, 'link'), { code: 'bad-definition', message });
  // 64 kbit/s drain 8 bytes a millisecond: 189 ms are 1512 bytes
  for (const limit of ['0.4packets', '1513bytes', '189ms']) refused({ rate: '64kbit', queue: { limit } }, /link: queue\.limit: the queue must hold at least one full packet/);
  assert.equal(link('1514bytes', '64kbit').queue.value, 1514);
  refused({ rate: '63kbit', queue: { limit: '10packets' } }, /rate: .*at least 64 kbit\/s/);
  refused({ rate: '11gbit', queue: { limit: '10packets' } }, /at most 10 Gbit\/s/);
  refused({ rate: '1mbit', queue: { limit: '10packets' }, loss: '91%' }, /at most 90 %/);
  refused({ rate: '1mbit', queue: { limit: '10 sacks' } }, /queue\.limit: "10 sacks" is not a queue limit/);
  refused({ rate: '1mbit', queue: { limit: '10packets' }, delay: '5ms' }, /unknown key "delay"/);
});
