import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buckets, limitOf, parseTcRate, shapers, tbfBucketBytes } from '../../../../shaper/tc/shapers.ts';

test('the rate of a class as tc prints it', () => {
  // tc -s class show, iproute2 6.1
  assert.equal(
    parseTcRate(
      'class htb 1:10 root leaf 10: prio 0 rate 20Mbit ceil 20Mbit burst 3025b cburst 1600b \n Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0) \n rate 0bit 0pps backlog 0b 0p requeues 0\n',
    ),
    20e6,
  );
  assert.equal(parseTcRate('class htb 1:10 root prio 0 rate 1500Kbit ceil 1500Kbit'), 1.5e6);
  assert.equal(parseTcRate('rate 64100bit ceil'), 64_100);
  assert.equal(parseTcRate('rate 10Gbit ceil'), 10e9);
  assert.equal(parseTcRate('rate 1.25Mbit ceil'), 1.25e6);
});

test('text without a rate has none', () => {
  for (const text of ['', 'class htb 1:10 root leaf 10:', 'rate 5apples', 'separate 5Mbit', 'rate 5Mbits'])
    assert.equal(parseTcRate(text), undefined, text);
});

test('buckets are whole frames on slow links', () => {
  // 100 us of 40 Mbit/s are 500 bytes: less than two frames of 1514
  for (const rateBps of [64e3, 1e6, 40e6, 128e6])
    assert.deepEqual(buckets(rateBps), { burstBytes: 3028, cburstBytes: 1600 });
});

test('and 100 us of the rate on fast ones', () => {
  assert.deepEqual(buckets(1e9), { burstBytes: 12_500, cburstBytes: 12_500 });
  assert.deepEqual(buckets(200e6), { burstBytes: 3028, cburstBytes: 2500 });
});

test("TBF's bucket takes a full frame and what 200 us bring", () => {
  assert.deepEqual([64e3, 1e6, 40e6, 100e6].map(tbfBucketBytes), [1600, 1600, 2514, 4014]);
});

const leaf = { kind: 'pfifo', words: 'limit 300' };

test('TBF and the FIFO below it have one limit, whenever either is set', () => {
  const { set, changeRate, changeQueue } = shapers.tbf;
  assert.deepEqual(set('toClient', 40e6, leaf, ''), [
    'qdisc add dev toClient root handle 1: tbf rate 40000000bit burst 2514 limit 300',
    'qdisc add dev toClient parent 1:1 handle 10: pfifo limit 300',
  ]);
  assert.equal(
    changeRate('toClient', 1e6, leaf),
    'qdisc change dev toClient root handle 1: tbf rate 1000000bit burst 1600 limit 300',
  );
  assert.equal(
    changeQueue('toClient', 1e6, { kind: 'fq_codel', words: 'limit 300 flows 64 target 5000us' }),
    'qdisc change dev toClient parent 1:1 handle 10: fq_codel limit 300 target 5000us',
  );
});

test('netem is shaper and queue in one: a FIFO of packets at one rate', () => {
  const { set, changeRate, changeQueue, lacks, queueKind } = shapers.netem;
  assert.deepEqual(set('toClient', 40e6, leaf, 'stab overhead -14 linklayer ethernet '), [
    'qdisc add dev toClient root handle 10: stab overhead -14 linklayer ethernet netem rate 40000000bit limit 300',
  ]);
  assert.deepEqual(
    [
      changeRate('toClient', 1e6, leaf),
      changeQueue('toClient', 40e6, { kind: 'pfifo', words: 'limit 20' }),
      queueKind(leaf),
    ],
    [null, 'qdisc change dev toClient root handle 10: netem rate 40000000bit limit 20', 'netem'],
  );
  assert.deepEqual(lacks({ schedule: [] }, leaf), []);
  assert.deepEqual(
    lacks({ schedule: [{ atMs: 0, rateBps: 1e6, rampMs: 0 }] }, { kind: 'bfifo', words: 'limit 9000' }),
    ['netem has no bfifo, only a FIFO limited in packets', 'netem cannot change its rate while packets wait'],
  );
});

test('the rate that the kernel holds is read from its JSON, in bytes per second', async () => {
  const read = (kind: 'tbf' | 'netem', rate: number | { rate: number | string }) =>
    shapers[kind].readRate(undefined as never, 'toClient', { kind, handle: '1:', options: { rate } });
  assert.deepEqual(
    [await read('tbf', 5e6), await read('netem', { rate: 5e6 }), await read('netem', { rate: '5000000' })],
    [40e6, 40e6, 40e6],
  );
});

test('a queue without a limit has none', () => {
  assert.deepEqual([limitOf(leaf), limitOf({ kind: 'cake', words: 'unlimited besteffort' })], [300, undefined]);
});
