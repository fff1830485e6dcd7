import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { analyseQueueLog } from '../../shaper/queue-log/analyse.ts';
import { QueueLog, dropReasons } from '../../shaper/queue-log/format.ts';
import type { QueueRecord } from '../../shaper/queue-log/format.ts';
import { headerBytes, recordBytes } from '../unit/shaper/support/queue-log-bytes.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20;

function checkRecord({ event, reason, direction, ...numbers }: QueueRecord): void {
  assert.equal(direction, 'down');
  assert.ok(['enqueue', 'dequeue', 'drop', 'mark'].includes(event));
  assert.equal(event === 'drop', reason !== undefined && dropReasons.includes(reason));
  for (const [name, value] of Object.entries(numbers))
    assert.ok(Number.isFinite(value) && Number.isInteger(value) && value >= 0, `${name} ${value}`);
}

/** Reads as far as it goes; what stops it is our own error. Returns whether it went to the end. */
function checkReading(bytes: Buffer): boolean {
  const before = Buffer.from(bytes);
  let records = 0;
  try {
    for (const record of QueueLog.fromBytes(bytes)) {
      checkRecord(record);
      records++;
    }
    assert.equal(records, Math.floor((bytes.length - 64) / 64));
    return true;
  } catch (error) {
    assert.ok(error instanceof CoexistError && error.code === 'bad-run-folder', String(error));
    return false;
  } finally {
    assert.ok(bytes.equals(before), 'the bytes were changed');
  }
}

const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const u16 = fc.nat(65535);
const record = fc
  .record({
    timeNs: fc.bigInt(0n, 10n ** 11n),
    packet: fc.nat(30),
    sojournNs: fc.bigInt(0n, 2n ** 64n - 1n),
    sourcePort: u16,
    destinationPort: u16,
    protocol: fc.nat(255),
    kind: fc.constantFrom([1, 0], [2, 0], [4, 0], [3, 1], [3, 2], [3, 3], [3, 4]),
    length: u32,
    queuePackets: fc.nat(40),
    queueBytes: u32,
    reasonCode: u32,
  })
  .map(({ kind, ...fields }) => recordBytes({ ...fields, event: kind[0]!, reason: kind[1]! }));
const log = fc.array(record, { maxLength: 60, size: 'max' }).map(records => Buffer.concat([headerBytes(), ...records]));

test('any bytes at all', () => {
  fc.assert(
    fc.property(anyBytes(300), bytes => {
      checkReading(bytes);
    }),
    effort(seed, 3000),
  );
});

test('any bytes behind a header that is right', () => {
  fc.assert(
    fc.property(anyBytes(300), bytes => {
      checkReading(Buffer.concat([headerBytes(), bytes]));
    }),
    effort(seed, 3000),
  );
});

test('real logs, damaged', () => {
  const originals = fc.sample(log, { seed, numRuns: 20 }).filter(bytes => bytes.length > 64);
  let [whole, refused] = [0, 0];
  fc.assert(
    fc.property(damaged(originals), bytes => {
      if (checkReading(bytes)) whole++;
      else refused++;
    }),
    effort(seed, 3000),
  );
  assert.ok(whole > 100 && refused > 100, `${whole} read, ${refused} refused`);
});

test('whatever sound records say, in whatever order: the analysis counts each once and invents nothing', () => {
  fc.assert(
    fc.property(log, bytes => {
      const records = [...QueueLog.fromBytes(bytes)];
      const { total, flows, conservation, occupancy } = analyseQueueLog(records);
      const dropped = Object.values(total.dropped).reduce((sum, { packets }) => sum + packets, 0);
      assert.equal(total.enqueued.packets + total.dequeued.packets + total.marked.packets + dropped, records.length);
      assert.equal(
        flows.reduce((sum, flow) => sum + flow.enqueued.packets, 0),
        total.enqueued.packets,
      );
      const { enqueuedPackets, repeatedPackets, dequeuedPackets, droppedPackets, waitingPackets, unseenPackets } =
        conservation;
      assert.equal(enqueuedPackets - repeatedPackets, dequeuedPackets + droppedPackets + waitingPackets);
      assert.equal(dequeuedPackets + unseenPackets, total.dequeued.packets);
      for (const bin of occupancy)
        assert.ok(
          bin.meanPackets >= 0 && bin.meanPackets <= bin.maxPackets + 1e-9 && bin.meanBytes <= bin.maxBytes + 1e-3,
          JSON.stringify(bin),
        );
    }),
    effort(seed, 1000),
  );
});
