import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliveRecord, endRecord, frameHead } from '../../../../server/media/clip-record-form.ts';
import { clipRecords } from '../../../../server/media/clip-records.ts';
import { clipFacts } from '../../harness/support/clip-facts.ts';

const planeBytes = 6;
const frame = (startS: number, fill: number) =>
  Buffer.concat([frameHead(startS, planeBytes), Buffer.alloc(planeBytes, fill)]);
const end = endRecord(clipFacts());

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size = bytes.length, expected = planeBytes): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const record of clipRecords(inPieces(bytes, size), expected))
    found.push('facts' in record ? record.facts.codec : [record.startS, record.planes.toString('hex')]);
  return found;
}

test('frames come out whole whatever the pieces, and the facts last', async () => {
  const bytes = Buffer.concat([frame(0, 1), aliveRecord, frame(0.5, 2), end]);
  for (const size of [1, 3, 5, 7, 19, 20, bytes.length])
    assert.deepEqual(await read(bytes, size), [[0, '010101010101'], [0.5, '020202020202'], 'h264'], String(size));
});

test('what a decoder must not say is refused', async () => {
  const long = Buffer.from(end);
  long.writeUInt32LE(2 ** 31, 1);
  const garbled = Buffer.from(end);
  garbled.fill(0, 5);
  for (const [bytes, expected] of [
    [Buffer.concat([frame(0, 1), end]), 5],
    [Buffer.concat([frame(0, 1), end]), 0],
    [Buffer.concat([end, end]), planeBytes],
    [Buffer.concat([end, Buffer.alloc(1)]), planeBytes],
    [frame(0, 1), planeBytes],
    [end.subarray(0, -1), planeBytes],
    [long, planeBytes],
    [garbled, planeBytes],
    [Buffer.from([9, 0, 0, 0, 0]), planeBytes],
    [endRecord(clipFacts({ frames: 0 })), planeBytes],
    [Buffer.alloc(0), planeBytes],
  ] as const)
    for (const size of [1, Math.max(1, bytes.length)])
      await assert.rejects(read(bytes, size, expected), { code: 'bad-clip' });
});
