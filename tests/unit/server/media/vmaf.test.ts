import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VmafScorer } from '../../../../server/media/vmaf.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const folder = temporaryFolder();
const stream = { width: 640, height: 360, frameRate: 60 };
const picture = Buffer.alloc(640 * 360 * 1.5);

function stand(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Scores of so many pairs by a program. */
async function scored(program: string, pairs: number): Promise<number[]> {
  const scorer = VmafScorer.start(program, folder, stream);
  try {
    for (let i = 0; i < pairs; i++) await scorer.add(picture, picture);
    return await scorer.scores();
  } finally {
    await scorer.close();
  }
}

test('more pictures than the pipes hold are no trouble, whichever side is read first', async () => {
  const log = '{"frames":[{"frameNum":1,"metrics":{"vmaf":20}},{"frameNum":0,"metrics":{"vmaf":10}}]}';
  for (const [name, order] of [['shown-first', 'cat <&3 >/dev/null & cat <&4 >/dev/null; wait'], ['some-of-one-first', 'head -c 2000000 <&3 >/dev/null; cat <&4 >/dev/null & cat <&3 >/dev/null; wait']] as const) {
    assert.deepEqual(await scored(stand(name, `${order}; echo '${log}' > scores.json`), 60), [10, 20]);
  }
});

test('a program that ends early is told with its last words', async () => {
  await assert.rejects(scored(stand('early', 'head -c 100 <&3 >/dev/null; echo "no such model" >&2; exit 3'), 60), { code: 'command-failed', message: 'FFmpeg could not compute VMAF: no such model' });
  await assert.rejects(scored(stand('silent', 'exit 4'), 1), { message: 'FFmpeg could not compute VMAF: it ended with status 4' });
});
