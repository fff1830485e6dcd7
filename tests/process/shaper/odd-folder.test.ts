import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../core/system/paths.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';

const hasMake = spawnSync('make', ['--version']).status === 0;
const parts = ['shaper/native', 'shaper/emulator/native', 'shaper/bbr3'];

test('the native programs are built wherever the project lies', { skip: hasMake ? false : 'needs make' }, () => {
  const project = join(temporaryFolder(), 'co ex #1 50% ü');
  for (const part of ['shaper/aqm', ...parts])
    cpSync(join(projectRoot, part), join(project, part), {
      recursive: true,
      filter: path => basename(path) !== 'build',
    });
  for (const part of parts) {
    // -n: every rule is found and every command told; none is run
    const argv = ['-n', '-B', '-C', join(project, part)];
    const { status, stderr } = spawnSync('make', argv, { encoding: 'utf8', timeout: 30_000 });
    assert.equal(status, 0, stderr);
  }
});
