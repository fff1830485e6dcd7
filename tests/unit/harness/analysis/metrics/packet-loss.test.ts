import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/packet-loss/index.ts';
import { compute } from '../../../../../harness/analysis/summary/compute.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, flood, reading, startMs, tcp, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const flow = (source: string, lostPackets: number) => ({ source, protocol: 17, packets: 0, bytes: 0, lostPackets });

test("the media's losses are those that feedback told of, of packets sent in the window", async () => {
  const packet = (sentMs: number, feedbackMs: number | null, receivedMs: number | null) => ({
    sentMs,
    feedbackMs,
    receivedMs,
  });
  const record = writeRecord(join(folder, 'media'), {
    packets: [
      packet(startMs - 1, startMs, null),
      packet(startMs, startMs + 50, null),
      packet(startMs + 1, startMs + 50, 5),
      packet(startMs + 2, startMs + 50, 6),
      packet(startMs + 3, startMs + 50, 7),
      packet(startMs + 4, null, null),
      packet(endMs, endMs + 50, null),
    ],
  });
  assert.equal((await plugin.compute(record))['loss'], 1 / 4); // the packet without feedback is unknown
});

const up = (droppedPackets: number) => ({ sentBytes: 1, sentPackets: 1, droppedPackets, backlogPackets: 0 });

test("drops of the queue and random losses are counted between the window's readings", async () => {
  const bottleneck = {
    before: reading(startMs, { up: up(2), droppedPackets: 10, randomLoss: [flow('10.0.1.2', 3), flow('10.0.3.2', 4)] }),
    after: reading(endMs, {
      up: up(9),
      droppedPackets: 25,
      randomLoss: [flow('10.0.1.2', 5), flow('10.0.3.2', 14), flow('10.0.9.9', 1)],
    }),
  };
  const { link } = condition;
  const change = { bottleneck, condition: { ...condition, link: { ...link, up: link } } };
  const record = writeRecord(join(folder, 'queue'), {}, change);
  const values = await plugin.computeLink!(record);
  assert.deepEqual([values['queue-drops'], values['random-losses']], [25 - 10, 5 + 14 + 1 - (3 + 4)]);
  assert.equal((await plugin.computeLink!(record.atHop(1, 'up')))['queue-drops'], 9 - 2);
});

test('the retransmissions of TCP are a share of what its sockets sent', async () => {
  const record = writeRecord(
    join(folder, 'flood'),
    {
      tcp: [
        tcp(startMs, 'sender', 1, { bytesSent: 1000 }),
        tcp(startMs, 'sender', 2, { bytesSent: 0, bytesRetransmitted: 0 }),
        tcp(startMs, 'receiver', 1, { bytesReceived: 5 }),
        tcp(endMs, 'sender', 1, { bytesSent: 61_000, bytesRetransmitted: 1500 }),
        tcp(endMs, 'sender', 2, { bytesSent: 40_000, bytesRetransmitted: 500 }),
      ],
    },
    { flood },
  );
  const ratio = (1500 + 500) / (60_000 + 40_000);
  assert.deepEqual(await plugin.computeTogether!(record.others(), record), { 'resent-ratio': ratio });
  assert.equal((await plugin.compute(record.as('flood')))['resent-ratio'], ratio);
});

test('what was not read is null', async () => {
  assert.deepEqual(await compute(plugin, writeRecord(join(folder, 'none'), {})), {
    loss: null,
    'queue-drops': null,
    'random-losses': null,
    'resent-ratio': null,
  });
});
