import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { capturedPackets } from '../../../../shaper/mahimahi/captured.ts';
import { type PassageQueue, passages } from '../../../../shaper/mahimahi/passages.ts';
import { conservationOf } from '../../../../shaper/queue-log/conservation.ts';
import { QueueLog } from '../../../../shaper/queue-log/format.ts';
import { QueueLogWriter } from '../../../../shaper/queue-log/writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'coexist-passages-'));
after(() => rmSync(folder, { recursive: true }));

const queue: PassageQueue = {
  type: 'droptail',
  packets: 2,
  bytes: null,
  limitOverheadBytes: 4,
  overheadBytes: 14,
  waitingAtEnd: 0,
};
/** The wall clock is one second ahead of CLOCK_MONOTONIC. */
const offsetNs = 1_000_000_000n;

type Packet = [sequence: number, timeMs: number];

/** An IPv4 packet of UDP from 10.0.1.2 port 1000 to 10.0.2.2 port 2000, 100 bytes long. */
function udp(sequence: number, timeToLive: number): Buffer {
  const ip = Buffer.alloc(100);
  Buffer.from([0x45, 0xb8, 0, 100, 0, 0, 0x40, 0, timeToLive, 17, 0, timeToLive, 10, 0, 1, 2, 10, 0, 2, 2]).copy(ip);
  ip.writeUInt16BE(1000, 20);
  ip.writeUInt16BE(2000, 22);
  ip.writeUInt32BE(sequence, 28);
  return ip;
}

function capture(name: string, linkType: 1 | 101, packets: readonly Packet[]): string {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b23c4d, 0);
  header.writeUInt32LE(linkType, 20);
  const ethernet = Buffer.alloc(linkType === 1 ? 14 : 0);
  const file = join(folder, name);
  const records = packets.flatMap(([sequence, timeMs]) => {
    const bytes = Buffer.concat([ethernet, udp(sequence, linkType === 1 ? 61 : 62)]);
    const record = Buffer.alloc(16);
    const ns = BigInt(timeMs * 1e6) + offsetNs;
    record.writeUInt32LE(Number(ns / 1_000_000_000n), 0);
    record.writeUInt32LE(Number(ns % 1_000_000_000n), 4);
    record.writeUInt32LE(bytes.length, 8);
    record.writeUInt32LE(bytes.length, 12);
    return [record, bytes];
  });
  writeFileSync(file, Buffer.concat([header, ...records]));
  return file;
}

/** The records of a queue log that is written from captures: event, packet, ms, packets in the queue, reason. */
async function logOf(before: readonly Packet[], behind: readonly Packet[], change: Partial<PassageQueue> = {}) {
  const [from, to] = [capture('before', 101, before), capture('behind', 1, behind)];
  const file = join(folder, 'queue.log');
  const log = await QueueLogWriter.create(file, { monotonicNs: 5n, offsetNs });
  const events = passages(capturedPackets(from, offsetNs), capturedPackets(to, offsetNs), { ...queue, ...change });
  for await (const record of events) await log.write(record);
  const written = await log.close();
  const read = QueueLog.fromFile(file);
  const records = [...read];
  assert.equal(records.length, written);
  return { read, records };
}

const short = ({ records }: Awaited<ReturnType<typeof logOf>>) =>
  records.map(({ event, packet, timeNs, queuePackets, reason }) =>
    [event, packet, timeNs / 1e6, queuePackets, ...(reason === undefined ? [] : [reason])].join(' '),
  );

test('a packet that left has its times, lengths, addresses and ports', async () => {
  const { read, records } = await logOf([[7, 10]], [[7, 14]]);
  assert.deepEqual(read.header, { source: 'capture', unixOffsetMs: 1000, hasService: true });
  const [enqueue, dequeue] = records;
  assert.deepEqual(
    [enqueue!.timeNs, dequeue!.timeNs, dequeue!.sojournNs, dequeue!.lengthBytes, enqueue!.queueBytes],
    [10e6, 14e6, 4e6, 114, 114],
  );
  const { source, destination, sourcePort, destinationPort, protocol, service, transportSecond } = dequeue!;
  assert.deepEqual(
    [source, destination, sourcePort, destinationPort, protocol, service, transportSecond],
    [0x0a000102, 0x0a000202, 1000, 2000, 17, 0xb8, 7],
  );
});

test('drop-tail: what came and did not leave was dropped on arrival', async () => {
  const log = await logOf(
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 12],
    ],
    [
      [1, 10],
      [2, 20],
      [4, 30],
    ],
  );
  assert.deepEqual(short(log), [
    'enqueue 1 1 1',
    'enqueue 2 2 2',
    'drop 3 3 2 overflow',
    'dequeue 1 10 1',
    'enqueue 4 12 2',
    'dequeue 2 20 1',
    'dequeue 4 30 0',
  ]);
  assert.equal(conservationOf(log.records).holds, true);
});

test('at the end, as many wait as mm-link says, and the rest was dropped', async () => {
  const sent: Packet[] = [
    [1, 1],
    [2, 2],
    [3, 3],
  ];
  assert.deepEqual(short(await logOf(sent, [[1, 10]], { waitingAtEnd: 1 })), [
    'enqueue 1 1 1',
    'enqueue 2 2 2',
    'drop 3 3 2 overflow',
    'dequeue 1 10 1',
  ]);
  assert.deepEqual(short(await logOf(sent.slice(0, 2), [], { waitingAtEnd: 0 })), [
    'drop 1 1 0 overflow',
    'drop 2 2 0 overflow',
  ]);
});

test('CoDel drops from the queue, at the next departure; PIE drops on arrival', async () => {
  const before: Packet[] = [
    [1, 1],
    [2, 2],
    [3, 3],
  ];
  const behind: Packet[] = [
    [1, 10],
    [3, 20],
  ];
  const codel = await logOf(before, behind, { type: 'codel', packets: 100 });
  assert.deepEqual(short(codel), [
    'enqueue 1 1 1',
    'enqueue 2 2 2',
    'enqueue 3 3 3',
    'dequeue 1 10 2',
    'drop 2 20 1 aqm',
    'dequeue 3 20 0',
  ]);
  assert.equal(codel.records[4]!.sojournNs, 18e6);
  assert.equal(conservationOf(codel.records).holds, true);
  assert.deepEqual(
    short(await logOf(before, behind, { type: 'pie', packets: 100 })).filter(line => line.startsWith('drop')),
    ['drop 2 2 1 aqm'],
  );
  // a limit in bytes: the second packet of 104 does not fit into 150
  assert.deepEqual(
    short(await logOf(before, behind, { type: 'pie', packets: null, bytes: 150 })).filter(line =>
      line.includes('drop 2'),
    ),
    ['drop 2 2 1 overflow'],
  );
});

test('a packet that came before the captures began is left out', async () => {
  assert.deepEqual(
    short(
      await logOf(
        [[2, 5]],
        [
          [1, 4],
          [2, 6],
        ],
      ),
    ),
    ['enqueue 1 5 1', 'dequeue 1 6 0'],
  );
});

test('a file that is no capture is refused', async () => {
  const file = join(folder, 'none');
  writeFileSync(file, 'nothing');
  await assert.rejects(capturedPackets(file, 0n).next(), { code: 'bad-run-folder', message: /is no capture/ });
});
