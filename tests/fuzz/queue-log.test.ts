import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { dropReasons } from '../../core/vocabulary/drop-reason.ts';
import { conservationOf } from '../../shaper/queue-log/conservation.ts';
import { QueueLog, type QueueRecord } from '../../shaper/queue-log/format.ts';
import { summariseQueue } from '../../shaper/queue-log/summary.ts';
import { headerBytes, recordBytes } from '../unit/shaper/support/queue-log-bytes.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20;

function checkRecord({ event, reason, direction, ...numbers }: QueueRecord): void {
  assert.equal(direction, 'down');
  assert.ok(['enqueue', 'dequeue', 'drop', 'mark'].includes(event));
  assert.equal(event === 'drop', reason !== undefined && dropReasons.includes(reason));
  for (const [name, value] of Object.entries(numbers))
    assert.ok(
      (name === 'service' && value === undefined) || (Number.isInteger(value) && Number(value) >= 0),
      `${name} ${value}`,
    );
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
    reasonCode: fc.nat(2 ** 24 - 1),
    service: fc.nat(255),
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

const parties = [{ server: '10.0.1.2', client: '10.0.2.2' }];
const whole = { parties, lateMs: 100, unixOffsetMs: 0, fromMs: 0, toMs: Infinity };

test('whatever sound records say, in whatever order: each counts once and nothing is invented', () => {
  fc.assert(
    fc.property(log, bytes => {
      const records = [...QueueLog.fromBytes(bytes)];
      const { traffic, flows, bins } = summariseQueue(records, whole);
      type Fates = Pick<(typeof bins)[number], 'sentPackets' | 'markedPackets' | 'droppedPackets'>;
      const countOf = (some: readonly Fates[]) =>
        some
          .flatMap(({ sentPackets, markedPackets, droppedPackets }) => [
            sentPackets,
            markedPackets,
            ...Object.values(droppedPackets),
          ])
          .reduce((sum, packets) => sum + packets, 0);
      const told = records.filter(({ event }) => event !== 'enqueue');
      assert.deepEqual([countOf(traffic), countOf(bins)], [told.length, told.length]);
      assert.equal(countOf(flows), told.filter(({ sourcePort }) => sourcePort !== 0).length);
      for (const { delay, latePackets, sentPackets } of traffic) {
        assert.equal(delay === null, sentPackets === 0);
        assert.ok(latePackets <= sentPackets && (delay === null || delay.p5Ms <= delay.maxMs));
      }
      const { enqueuedPackets, repeatedPackets, dequeuedPackets, droppedPackets, waitingPackets, unseenPackets } =
        conservationOf(records);
      assert.equal(enqueuedPackets - repeatedPackets, dequeuedPackets + droppedPackets + waitingPackets);
      const sent = traffic.reduce((sum, { sentPackets }) => sum + sentPackets, 0);
      assert.equal(dequeuedPackets + unseenPackets, sent);
    }),
    effort(seed, 1000),
  );
});
