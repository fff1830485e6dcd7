import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/picture-quality/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const picture = (k: number, change: object) => ({
  timeMs: startMs + 20 * k,
  shownFrame: k,
  wantedFrame: k,
  psnrDb: 40,
  ssim: 0.99,
  vmaf: 90,
  ...change,
});

test('means, the lowest twentieth, and the share of repeated frames', async () => {
  const pictures = [
    picture(0, {}),
    picture(1, { shownFrame: 0, psnrDb: 20, ssim: 0.59, vmaf: 10 }),
    picture(2, {}),
    picture(3, {}),
  ];
  const values = await plugin.compute(writeRecord(join(folder, 'a'), { 'picture-quality': pictures }));
  assert.deepEqual(Object.fromEntries(Object.entries(values).map(([id, value]) => [id, Number(value!.toFixed(9))])), {
    'vmaf-mean': 70,
    'vmaf-p5': 10 + 80 * 0.15,
    'psnr-mean': 35,
    'ssim-mean': 0.89,
    'repeated-frames': 0.25,
  });
});

test('without VMAF the others are there', async () => {
  const values = await plugin.compute(
    writeRecord(join(folder, 'b'), { 'picture-quality': [picture(0, { vmaf: null })] }),
  );
  assert.deepEqual(values, {
    'vmaf-mean': null,
    'vmaf-p5': null,
    'psnr-mean': 40,
    'ssim-mean': 0.99,
    'repeated-frames': 0,
  });
});

test('a trial that was not compared has no values', async () => {
  assert.ok(Object.values(await plugin.compute(writeRecord(join(folder, 'c'), {}))).every(value => value === null));
});
