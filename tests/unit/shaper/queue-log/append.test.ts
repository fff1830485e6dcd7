import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { appendUpLog } from '../../../../shaper/queue-log/append.ts';
import { QueueLog } from '../../../../shaper/queue-log/format.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { dequeue, enqueue, headerBytes, recordBytes } from '../support/queue-log-bytes.ts';

const folder = temporaryFolder();

/** A packet that arrives and leaves; the kernel numbers the packets of both queues alike. */
const passing = (packet: number, source: string) => [
  recordBytes({ packet, source, event: enqueue }),
  recordBytes({ packet, source, event: dequeue }),
];

test('the records of the queue from the clients come behind the others, as its own, with packets of their own', async () => {
  const [file, up] = [join(folder, 'queue.log'), join(folder, 'queue.log.up')];
  const core = 3 * 2 ** 40;
  writeFileSync(file, Buffer.concat([headerBytes(), ...passing(1, '10.0.1.2')]));
  // more than is copied at once, and an incomplete last record
  const many = Array.from({ length: 9000 }, (_, k) => passing(core + k, '10.0.2.2')).flat();
  writeFileSync(up, Buffer.concat([headerBytes(), ...many, recordBytes({ event: enqueue }).subarray(0, 40)]));
  await appendUpLog(file, up);
  assert.equal(existsSync(up), false);
  const log = QueueLog.fromFile(file);
  assert.deepEqual(
    [...log].map(({ packet, direction }) => [packet, direction]),
    [
      [1, 'down'],
      [1, 'down'],
    ],
  );
  const moved = [...log.of('up')];
  assert.equal(moved.length, 18_000);
  assert.deepEqual(
    [moved[0]!.packet, moved[1]!.packet, moved.at(-1)!.packet],
    [core, core, core + 8999].map(packet => 2 ** 52 + packet),
  );
  assert.ok(moved.every(({ direction, source }) => direction === 'up' && source === 0x0a000202));
});

test('a queue that nothing came to leaves the file as it was', async () => {
  const [file, up] = [join(folder, 'other.log'), join(folder, 'other.log.up')];
  writeFileSync(file, Buffer.concat([headerBytes(), ...passing(1, '10.0.1.2')]));
  writeFileSync(up, headerBytes());
  await appendUpLog(file, up);
  assert.deepEqual(
    [[...QueueLog.fromFile(file)].length, [...QueueLog.fromFile(file).of('up')].length, existsSync(up)],
    [2, 0, false],
  );
});
