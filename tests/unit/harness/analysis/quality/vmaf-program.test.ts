import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findVmafProgram } from '../../../../../harness/analysis/quality/vmaf-program.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { standIn } from '../../support/stand-in.ts';

const folder = temporaryFolder();

/** Makes a program with the command line of FFmpeg. */
const stand = (name: string, script: string) => standIn(folder, name, script);

test('a program that computes VMAF when it is asked to is taken, with its version', async () => {
  const program = stand(
    'with',
    'case "$*" in *libvmaf*) exit 0;; -version) echo "ffmpeg version 9.0.2-static Copyright";; *) exit 1;; esac',
  );
  assert.deepEqual(await findVmafProgram(program), { program, version: '9.0.2-static' });
});

test('one that does not, that cannot be started, or is not there, is none, and is named', async () => {
  const plain = join(folder, 'plain');
  writeFileSync(plain, 'no program');
  for (const program of [
    stand('without', 'echo "No such filter: libvmaf" >&2; exit 8'),
    plain,
    join(folder, 'missing'),
  ]) {
    const found = await findVmafProgram(program);
    assert.ok('missing' in found && found.missing.includes(program), JSON.stringify(found));
  }
});
