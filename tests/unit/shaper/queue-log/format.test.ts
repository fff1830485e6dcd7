import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addressNumber, QueueLog } from '../../../../shaper/queue-log/format.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { dequeue, drop, enqueue, headerBytes, logBytes, mark, recordBytes } from '../support/queue-log-bytes.ts';

const folder = temporaryFolder();
const refused = (message: RegExp) => ({ name: 'CoexistError', code: 'bad-run-folder', message });

test('every field stands where the format has it', () => {
  const bytes = logBytes({
    timeNs: 2n ** 53n - 1n,
    packet: 3 * 2 ** 40 + 5,
    sojournNs: 30_280_000,
    source: '10.0.3.2',
    destination: '10.0.2.2',
    sourcePort: 5201,
    destinationPort: 65535,
    protocol: 6,
    event: drop,
    reason: 3,
    length: 1514,
    queuePackets: 4_294_967_295,
    queueBytes: 151_400,
    reasonCode: 0x30_004d,
    service: 0xb9,
    transport: 'fffefdfc01020304',
  });
  assert.deepEqual(
    [...QueueLog.fromBytes(bytes)],
    [
      {
        timeNs: 2 ** 53 - 1,
        packet: 3 * 2 ** 40 + 5,
        sojournNs: 30_280_000,
        source: 0x0a000302,
        destination: 0x0a000202,
        sourcePort: 5201,
        destinationPort: 65535,
        protocol: 6,
        event: 'drop',
        direction: 'down',
        reason: 'aqm',
        lengthBytes: 1514,
        queuePackets: 4_294_967_295,
        queueBytes: 151_400,
        reasonCode: 0x30_004d,
        service: 0xb9,
        transportFirst: 0xfffefdfc,
        transportSecond: 0x01020304,
      },
    ],
  );
});

test('events and reasons have their names', () => {
  const bytes = logBytes(
    { event: enqueue },
    { event: dequeue },
    { event: mark },
    ...[1, 2, 3, 4].map(reason => ({ event: drop, reason })),
  );
  assert.deepEqual(
    [...QueueLog.fromBytes(bytes)].map(({ event, reason }) => [event, reason]),
    [
      ['enqueue', undefined],
      ['dequeue', undefined],
      ['mark', undefined],
      ['drop', 'overflow'],
      ['drop', 'random-loss'],
      ['drop', 'aqm'],
      ['drop', 'other'],
    ],
  );
});

test("the header tells who wrote it, and Unix time from the log's", () => {
  const log = QueueLog.fromBytes(
    headerBytes({ source: 2, monotonicNs: 2_000_000_000n, realtimeNs: 1_800_000_002_500_000_000n }),
  );
  assert.deepEqual(log.header, { source: 'emulator', unixOffsetMs: 1_800_000_000_500, hasService: true });
  assert.equal(QueueLog.fromBytes(headerBytes()).header.source, 'kernel');
  assert.deepEqual([...log], []);
});

test('a log of an older version has no type of service', () => {
  const bytes = Buffer.concat([headerBytes({ hasService: 0 }), recordBytes({ event: enqueue, service: 1 })]);
  assert.equal([...QueueLog.fromBytes(bytes)][0]!.service, undefined);
});

test('what is no queue log is refused, with what is wrong', () => {
  const cases: [Buffer, RegExp][] = [
    [Buffer.alloc(0), /^it is no queue log that can be read: it has 0 bytes, and the header alone 64$/],
    [headerBytes().subarray(0, 63), /it has 63 bytes/],
    [headerBytes({ magic: 'CXQLOG2\0' }), /it does not begin as one$/],
    [Buffer.alloc(128), /it does not begin as one$/],
    [headerBytes({ recordBytes: 56 }), /its records have 56 bytes, not 64$/],
    [headerBytes({ source: 0 }), /its source is 0$/],
    [headerBytes({ source: 4 }), /its source is 4$/],
  ];
  for (const [bytes, message] of cases) assert.throws(() => QueueLog.fromBytes(bytes), refused(message));
  const path = join(folder, 'wrong');
  writeFileSync(path, 'some text that is not a queue log');
  assert.throws(() => QueueLog.fromFile(path), refused(/wrong is no queue log that can be read: it has 33 bytes/));
  assert.throws(() => QueueLog.fromFile(join(folder, 'none')), { code: 'ENOENT' });
});

test('the two queues of a link are read apart', () => {
  const log = QueueLog.fromBytes(
    logBytes({ event: enqueue, packet: 1 }, { event: enqueue, packet: 2, direction: 1 }, { event: dequeue, packet: 1 }),
  );
  const packets = (of: QueueLog) => [...of].map(({ packet, direction }) => [packet, direction]);
  assert.deepEqual(
    [packets(log), packets(log.of('up')), packets(log.of('up').of('down'))],
    [
      [
        [1, 'down'],
        [1, 'down'],
      ],
      [[2, 'up']],
      [
        [1, 'down'],
        [1, 'down'],
      ],
    ],
  );
  assert.throws(
    () => [...QueueLog.fromBytes(logBytes({ event: enqueue, direction: 2 }))],
    refused(/record 0 has direction 2$/),
  );
});

test('a record that cannot be is refused when it is reached, by its number', () => {
  for (const [event, reason] of [
    [0, 0],
    [5, 0],
    [drop, 0],
    [drop, 5],
    [enqueue, 1],
  ] as const) {
    const records = QueueLog.fromBytes(logBytes({ event: enqueue }, { event, reason }))[Symbol.iterator]();
    assert.equal(records.next().value!.event, 'enqueue');
    assert.throws(() => records.next(), refused(new RegExp(`record 1 has event ${event} with reason ${reason}$`)));
  }
});

test('a last record that was cut off is left out', () => {
  const bytes = logBytes({ event: enqueue, packet: 1 }, { event: dequeue, packet: 1 });
  for (let length = 64; length <= bytes.length; length++) {
    assert.equal(
      [...QueueLog.fromBytes(bytes.subarray(0, length))].length,
      Math.floor((length - 64) / 64),
      String(length),
    );
  }
});

test('a file is read in pieces, more than once, and while it grows', () => {
  const path = join(folder, 'long');
  const count = 40_000; // more than two pieces
  writeFileSync(
    path,
    Buffer.concat([
      headerBytes(),
      ...Array.from({ length: count }, (_, packet) => recordBytes({ event: enqueue, packet })),
    ]),
  );
  const log = QueueLog.fromFile(path);
  for (let time = 0; time < 2; time++) {
    let next = 0;
    for (const { packet } of log) assert.equal(packet, next++);
    assert.equal(next, count);
  }
  appendFileSync(path, recordBytes({ event: dequeue, packet: 0 }).subarray(0, 40));
  assert.equal([...log].length, count);
  appendFileSync(path, recordBytes({ event: dequeue, packet: 0 }).subarray(40));
  assert.equal([...log].at(-1)!.event, 'dequeue');
  for (const { packet } of log) if (packet === 3) break; // an early end of the iteration has no effect
});

test('addresses are numbers, as records have them', () => {
  assert.deepEqual(
    ['0.0.0.0', '10.0.1.2', '255.255.255.255', '128.0.0.1'].map(addressNumber),
    [0, 0x0a000102, 0xffffffff, 0x80000001],
  );
});
