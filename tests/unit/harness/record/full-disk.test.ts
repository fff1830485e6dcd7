import assert from 'node:assert/strict';
import { readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemCode } from '../../../../core/errors.ts';
import { run } from '../../../../core/system/command.ts';
import { RunFolder } from '../../../../harness/record/run-folder.ts';
import { pingSeries } from '../../../../harness/record/series/ping.ts';
import { SeriesWriter } from '../../../../harness/trial/series-writer.ts';
import { testFolder } from '../../../runner/test-names.ts';
import { planOf } from '../support/plan.ts';
import { createFolder, fileOf, versions } from '../support/run-folder.ts';

const isRoot = process.getuid?.() === 0;
const plan = planOf();
const disk = testFolder();
const mounted =
  isRoot &&
  (await run(['mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { allowFailure: true })).status === 0;
after(async () => {
  if (mounted) await run(['umount', disk]);
  rmdirSync(disk);
});
const skip = mounted ? false : isRoot ? 'this machine lets nobody mount a tmpfs' : 'needs root, to mount a small disk';

let folder: RunFolder;
let directory: string;

/** Writes until the disk is full. */
function fill(): void {
  for (let i = 0, bytes = 65_536; bytes >= 1; i++) {
    try {
      writeFileSync(join(disk, `filling-${i}`), Buffer.alloc(bytes));
    } catch (error) {
      assert.equal(systemCode(error), 'ENOSPC');
      bytes = Math.floor(bytes / 16);
    }
  }
}

before(() => {
  if (skip !== false) return;
  folder = createFolder(disk, 'run', plan);
  directory = folder.begin('0001-all');
  fill();
});

const full = { code: 'disk-full', message: /^disk full: .* could not be written$/, hint: /--resume/ };

test('a full disk is named where summary or report do not fit', { skip }, () => {
  assert.throws(() => folder.writeText('summary.json', 'x'.repeat(10_000)), full);
  assert.ok(!readdirSync(folder.path).some(name => name.startsWith('summary')), 'nor is half of one left');
});

test('a full disk is named where a trial does not fit', { skip }, () => {
  assert.throws(() => folder.commit(directory, fileOf(plan, 1)), full);
  assert.deepEqual(folder.trialNames(), [], 'it does not bear its name');
});

test('a full disk is named where the series of a trial do not fit', { skip }, async () => {
  const series = new SeriesWriter(directory);
  for (let i = 0; i < 1000; i++) series.write(pingSeries, { timeMs: i, sequence: i, rttMs: 1 });
  await assert.rejects(series.close(), full);
});

test('a full disk is named where a new run does not fit', { skip }, () => {
  assert.throws(() => RunFolder.create(join(disk, 'another'), { plan, versions, createdMs: 0 }), full);
});

test('with room again everything can be written', { skip }, async () => {
  for (const name of readdirSync(disk).filter(entry => entry.startsWith('filling')))
    await run(['rm', join(disk, name)]);
  assert.equal(folder.commit(folder.begin('0001-all'), fileOf(plan, 1)), '0001-all');
});
