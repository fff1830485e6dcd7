/** User studies, saved as docs/studies.md says, are not linted with the project. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

test('studies in the folder of the repository do not fail lint, and what is the project does', () => {
  const place = temporaryFolder();
  const { vcs: _, ...config } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(place, 'biome.json'), `${JSON.stringify(config, null, 2)}\n`);
  for (const folder of ['core', 'harness']) mkdirSync(join(place, folder));
  const crooked = ['my-study.json', 'my-study.ts', 'package.json', 'core/errors.ts', 'harness/hosts.json'];
  for (const file of crooked)
    writeFileSync(
      join(place, file),
      file.endsWith('json') ? '{ "a":1,\n\n\n "b":   2 }' : 'export const a = {b:"c"}\n',
    );
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'format', '.', '--max-diagnostics=50'], {
    cwd: place,
    encoding: 'utf8',
    timeout: 60_000,
  });
  const named = (file: string) =>
    new RegExp(`^(\\./)?${file.replaceAll('.', '\\.')} format`, 'm').test(stdout + stderr);
  assert.deepEqual(crooked.filter(named), ['package.json', 'core/errors.ts', 'harness/hosts.json'], stdout + stderr);
});
