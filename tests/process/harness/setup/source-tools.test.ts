import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';

const usages = { format: 'npm run format [-- --check | --install]', lint: 'npm run lint [-- --install]' };

for (const [name, usage] of Object.entries(usages))
  test(`${name} refuses a word that it does not know, before anything is done`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`harness/setup/${name}.mjs`, '--instal'], {
      cwd: projectRoot,
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.deepEqual([status, stdout, stderr], [1, '', `${name} knows no --instal\n  -> ${usage}\n`]);
  });
