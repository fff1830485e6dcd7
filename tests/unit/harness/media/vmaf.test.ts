import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import { findVmafProgram } from '../../../../harness/analysis/quality/vmaf-program.ts';
import { VmafScorer } from '../../../../harness/media/vmaf.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const folder = temporaryFolder();
const stream = { width: 640, height: 360, frameRate: 60 };
const grey = Buffer.alloc(640 * 360 * 1.5);

function stand(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Returns the scores that a program computes for this number of pairs. */
async function scored(program: string, pairs: number): Promise<number[]> {
  const scorer = VmafScorer.start(program, folder, stream);
  try {
    for (let i = 0; i < pairs; i++) await scorer.add(grey, grey);
    return await scorer.scores();
  } finally {
    await scorer.close();
  }
}

test('more frames than the pipes hold are no trouble, whichever side is read first', async () => {
  const log = '{"frames":[{"frameNum":1,"metrics":{"vmaf":20}},{"frameNum":0,"metrics":{"vmaf":10}}]}';
  for (const [name, order] of [
    ['shown-first', 'cat <&3 >/dev/null & cat <&4 >/dev/null; wait'],
    ['some-of-one-first', 'head -c 2000000 <&3 >/dev/null; cat <&4 >/dev/null & cat <&3 >/dev/null; wait'],
  ] as const) {
    assert.deepEqual(await scored(stand(name, `${order}; echo '${log}' > scores.json`), 60), [10, 20]);
  }
});

test('a program that ends early is told with its last words', async () => {
  await assert.rejects(scored(stand('early', 'head -c 100 <&3 >/dev/null; echo "no such model" >&2; exit 3'), 60), {
    code: 'command-failed',
    message: 'FFmpeg could not compute VMAF: no such model',
  });
  await assert.rejects(scored(stand('silent', 'exit 4'), 1), {
    message: 'FFmpeg could not compute VMAF: it ended with status 4',
  });
});

/** Returns a slope with waves and noise of this strength, 640 x 360 with grey chroma, shifted by its number. */
function made(number: number, strength: number): Buffer {
  const random = seededRandom(number + 1);
  const data = Buffer.alloc(stream.width * stream.height * 1.5, 128);
  for (let i = 0; i < stream.width * stream.height; i++) {
    const [x, y] = [(i % stream.width) + 4 * number, Math.floor(i / stream.width)];
    data[i] = Math.round(
      90 + x / 8 + y / 8 + 30 * Math.sin(x / 9) * Math.cos(y / 11) + (random.next() - 0.5) * strength,
    );
  }
  return data;
}

test('model vmaf_v0.6.1 as FFmpeg 9.0.2 has it: none, some and much noise', async t => {
  const found = await findVmafProgram();
  if ('missing' in found) return t.skip(found.missing);
  const scorer = VmafScorer.start(found.program, folder, stream);
  try {
    for (const [number, strength] of [0, 12, 60].entries()) await scorer.add(made(number, strength), made(number, 0));
    const scores = await scorer.scores();
    for (const [i, score] of [97.4277, 96.5862, 70.4244].entries())
      assert.ok(Math.abs(scores[i]! - score) < 0.05, `${scores}`);
  } finally {
    await scorer.close();
  }
});
