import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halfWidthBps, openLink, pairLink, queuePackets } from '../../../../../harness/studies/pairs/links.ts';

test("the paper's queues: the power of two nearest to 4 BDP", () => {
  // 133, 833, 333 and 1667 packets of 1500 bytes
  assert.deepEqual([8e6, 50e6, 20e6, 100e6].map(queuePackets), [128, 1024, 256, 2048]);
});

test("the paper's links, and one with its queue doubled", () => {
  const { link, halfWidthBps: half, title } = pairLink('8mbit');
  assert.deepEqual(
    [link.rateBps, link.queue, ...Object.values(link.paths).map(({ rttMs }) => rttMs), link.loss, half],
    [8e6, { unit: 'packets', value: 128 }, 50, 50, null, 0.5e6],
  );
  assert.match(title, /^8 Mbit\/s, FIFO 128 packets .*base RTT 50 ms, no random loss$/);
  assert.deepEqual(pairLink('50mbit').link.queue, { unit: 'packets', value: 1024 });
  assert.equal(pairLink('50mbit').halfWidthBps, 1.5e6);
  assert.deepEqual(pairLink('50mbit-deep').link.queue, { unit: 'packets', value: 2048 });
});

test('how well a median is wanted goes with the rate, without a jump', () => {
  assert.deepEqual([4e6, 8e6, 29e6, 50e6, 100e6].map(halfWidthBps), [0.25e6, 0.5e6, 1e6, 1.5e6, 3e6]);
});

for (const name of ['8', 'fast', '8mbps', '-8mbit', '0mbit', '8mbit-shallow', '10gbit']) {
  test(`"${name}" is no link, and says how one is written`, () => {
    assert.throws(() => pairLink(name), {
      code: 'usage',
      message: `--link ${name}: there is no such link`,
      hint: /as in 8mbit or 50mbit/,
    });
  });
}

test('a link that holds no cap', () => {
  const { id, link } = openLink([2.6e6, 13e6]);
  assert.deepEqual([id, link.rateBps], ['open', 52e6]);
});
