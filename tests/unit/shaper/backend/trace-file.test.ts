import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Link, plainLink } from '../../../../core/vocabulary/link.ts';
import { tableFileBytes, traceFileBytes, withTraceFiles } from '../../../../shaper/backend/trace-file.ts';
import type { PlayedTraces } from '../../../../shaper/emulator/configuration.ts';
import { readTrace, tracesOf } from '../../../../shaper/traces/load.ts';
import { tableOf } from '../../../../shaper/traces/table.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const plain = plainLink(10e6, { unit: 'packets', value: 100 });

test('the emulator gets the traces of each direction, in files that are gone afterwards', async () => {
  const folder = temporaryFolder();
  const [down, up] = [join(folder, 'down.trace'), join(folder, 'up.csv')];
  writeFileSync(down, '\ufeff1\n258\n');
  writeFileSync(up, 'time_s,delay_ms\n0,5\n1,6\n2,\n');
  assert.equal(traceFileBytes(Uint32Array.of(1, 258)).toString('latin1'), 'CXTRACE1\x01\0\0\0\x02\x01\0\0');
  const link: Link = {
    ...plain,
    trace: { files: [down], make: null, startAtMs: 20, times: 0.5, loop: true },
    up: { ...plain, trace: up },
  };
  const given: string[] = [];
  const router = { give: async (file: string) => `there:${given[given.push(file) - 1]}` };
  const seen: string[] = [];
  let told: PlayedTraces | undefined;
  await withTraceFiles(link, tracesOf([link]), { router, seed: 1 }, async played => {
    told = played;
    seen.push(...given.map(file => readFileSync(file).toString('latin1')));
  });
  assert.deepEqual(told, {
    down: { trace: `there:${given[0]}`, table: null, times: 0.5, startMs: 20, hasRates: false },
    up: { trace: null, table: `there:${given[1]}`, times: 1, startMs: 0, hasRates: false },
  });
  assert.equal(seen[0], 'CXTRACE1\x01\0\0\0\x02\x01\0\0');
  assert.match(seen[1]!, /^CXTABLE1/);
  assert.throws(() => readTrace(given[0]!), { message: /ENOENT/ });
  await withTraceFiles(plain, new Map(), { router, seed: 1 }, async none =>
    assert.deepEqual(none, { down: null, up: null }),
  );
});

test('a seed chooses the start, the same for both directions, and other seeds choose others', async () => {
  const make = { id: 'dsl', seed: 1, lengthMs: 60e3 };
  const trace = { files: [], make, startAtMs: 'seeded' as const, times: 1, loop: true };
  const link: Link = { ...plain, trace, up: { ...plain, trace } };
  const starts = new Set<number>();
  for (const seed of [1, 2, 3, 1])
    await withTraceFiles(link, tracesOf([link]), { router: { give: async file => file }, seed }, async played => {
      assert.equal(played.down!.startMs, played.up!.startMs);
      assert.ok(played.down!.startMs >= 0 && played.down!.startMs < 60e3);
      starts.add(played.down!.startMs);
    });
  assert.equal(starts.size, 3);
});

test('a table in the format of the emulator: its lists, with times of the rate, and the period', () => {
  const table = tableOf(
    [
      { atMs: 0, rateBps: 2e6, lossRatio: 0.1, burstPackets: 4 },
      { atMs: 10, rateBps: 0 },
      { atMs: 15, rateBps: 4e6 },
      { atMs: 20 },
    ],
    { name: 'x' },
  );
  const bytes = tableFileBytes(table, { times: 0.5, loop: true, ownBps: 1 });
  assert.equal(bytes.readBigUInt64LE(8), 20_000_000n);
  assert.deepEqual(
    [16, 20, 24, 28].map(at => bytes.readUInt32LE(at)),
    [3, 0, 1, 0],
  );
  // the rate of an outage is that before it, which a queue limit in time follows
  assert.deepEqual(
    [0, 1, 2].map(k => [
      Number(bytes.readBigUInt64LE(32 + 24 * k)) / 1e6,
      bytes.readDoubleLE(40 + 24 * k),
      Number(bytes.readBigUInt64LE(48 + 24 * k)),
    ]),
    [
      [0, 1e6, 0],
      [10, 1e6, 1],
      [15, 2e6, 0],
    ],
  );
  // 10 % in bursts of 4: 0.1 / (4 * 0.9) of the good packets begin one, one in four ends it
  const ratios = [8, 12, 16, 20].map(at => bytes.readUInt32LE(32 + 72 + at) / 2 ** 32);
  for (const [k, expected] of [0, 1, 0.1 / 3.6, 0.25].entries()) assert.ok(Math.abs(ratios[k]! - expected) < 1e-9);
  assert.equal(tableFileBytes(table, { times: 1, loop: false, ownBps: 1 }).readBigUInt64LE(8), 0n);
});
