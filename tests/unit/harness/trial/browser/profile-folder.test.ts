import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../../../../core/system/command.ts';
import { profileIn, withoutPlaywrightsFolder } from '../../../../../harness/trial/browser/profile-folder.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();

test('the empty folder that Playwright made is gone before the browser starts; one with files is kept', async () => {
  const [empty, full] = [join(folder, "an empty one's"), join(folder, 'full')];
  mkdirSync(empty);
  mkdirSync(full);
  writeFileSync(join(full, 'precious'), '');
  const program = `${withoutPlaywrightsFolder}printf '%s\\n' "$@" ${profileIn(folder)}`;
  const words = [
    '--headless',
    `--user-data-dir=${empty}`,
    `--user-data-dir=${full}`,
    '--user-data-dir=/none',
    'about:blank',
  ];
  const { stdout, stderr } = await run(['sh', '-c', program, 'sh', ...words]);
  assert.deepEqual(stdout.trim().split('\n'), [...words, `--user-data-dir=${folder}/profile`]);
  assert.equal(stderr, '');
  assert.deepEqual([existsSync(empty), existsSync(full)], [false, true]);
});
