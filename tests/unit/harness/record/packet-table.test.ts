import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packetKinds } from '../../../../core/vocabulary/packet-kind.ts';
import { type PacketTable, readPacketTable } from '../../../../harness/record/packet-table.ts';
import type { PacketLine } from '../../../../harness/record/series/packets.ts';
import { temporaryFolder } from '../support/folder.ts';
import { writeRecord } from '../support/record.ts';

const folder = temporaryFolder();

const orNull = (value: number) => (Number.isNaN(value) ? null : value);

/** Returns a row in the form of the record, without fields that the table lacks. */
function rowOf(table: PacketTable, row: number) {
  return {
    kind: packetKinds[table.kind[row]!],
    rtpSequence: table.rtpSequence[row],
    rtpTimestamp: table.rtpTimestamp[row],
    frame: table.frame[row],
    bytes: table.bytes[row],
    sentMs: orNull(table.sentMs[row]!),
    receivedMs: orNull(table.receivedMs[row]!),
    feedbackMs: orNull(table.feedbackMs[row]!),
  };
}

const packet = (i: number): PacketLine => ({
  sequence: i,
  kind: packetKinds[i % packetKinds.length]!,
  rtpSequence: (65_000 + i) % 65_536,
  rtpTimestamp: (4_294_900_000 + 1500 * i) % 2 ** 32,
  frame: i % packetKinds.length === 0 ? i : -1,
  sentMs: 1_789_999_999_999.1235 + i * 0.37,
  bytes: 1250,
  payloadBytes: 1170,
  ...(i % 5 === 0 ? { probe: 7 } : {}),
  receivedMs: i % 4 === 0 ? null : -123_456.25 + i * 0.25,
  feedbackMs: i % 7 === 0 ? null : 1_790_000_000_049.5,
});

async function tableOf(name: string, text: string): Promise<PacketTable> {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readPacketTable(path);
}

test('every column is what JSON.parse reads', async () => {
  const packets = Array.from({ length: 50_000 }, (_, i) => packet(i)); // more than one chunk of the file
  const table = await tableOf('many.jsonl', packets.map(line => `${JSON.stringify(line)}\n`).join(''));
  assert.equal(table.length, packets.length);
  for (const [i, { sequence: _sequence, payloadBytes: _payload, probe: _probe, ...expected }] of packets.entries())
    assert.deepEqual(rowOf(table, i), expected);
});

test('lines in another form of JSON, shorter ones, and a last one without an end', async () => {
  const table = await tableOf(
    'other.jsonl',
    '{ "kind" : "padding", "sentMs": 5 }\n\n{"sentMs":1e3,"bytes":12}\n{}\n{"kind":"retransmission","frame":-1,"sentMs":7.5}',
  );
  assert.deepEqual(
    [table.length, [...table.kind], [...table.sentMs], [...table.frame], [...table.bytes]],
    [4, [2, 0, 0, 1], [5, 1000, NaN, 7.5], [-1, -1, -1, -1], [0, 12, 0, 0]],
  );
});

test('a file that is not there is an empty table, a broken line is named', async () => {
  assert.equal((await readPacketTable(join(folder, 'none.jsonl'))).length, 0);
  await assert.rejects(tableOf('broken.jsonl', '{"kind":"media"}\n{"kind":"me\n'), {
    code: 'bad-run-folder',
    message: /broken\.jsonl, line 2 is not JSON/,
  });
});

test("the sender's times are moved onto the harness's clock, once", async () => {
  const record = writeRecord(
    join(folder, 'clock'),
    {
      packets: [
        { sentMs: 1000, feedbackMs: 1050, receivedMs: 5 },
        { sentMs: 2000, feedbackMs: null, receivedMs: null },
      ],
    },
    { clocks: { server: { offsetMs: 100, uncertaintyMs: 0 }, page: { offsetMs: 7, uncertaintyMs: 0 } } },
  );
  for (let time = 0; time < 2; time++) {
    const { sentMs, feedbackMs, receivedMs } = await record.packetTable();
    assert.deepEqual(
      [[...sentMs], [...feedbackMs], [...receivedMs]],
      [
        [1100, 2100],
        [1150, NaN],
        [5, NaN],
      ],
    );
  }
});
