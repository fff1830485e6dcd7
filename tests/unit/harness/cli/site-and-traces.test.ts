import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command as site } from '../../../../harness/cli/site.ts';
import { command as traces } from '../../../../harness/cli/traces.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a site is not written where a file is', async () => {
  const path = join(temporaryFolder(), 'site');
  writeFileSync(path, '');
  await assert.rejects(site(['--out', path]), { code: 'usage', message: `${path} is a file, and a site is a folder` });
});

test('a length that is out of range names the range', async () => {
  await assert.rejects(traces(['make', 'lte', '--length', '0s', '--out', 'never.csv']), {
    code: 'usage',
    message: '--length 0s is not a duration from 1 s to 1 h, such as 60s',
  });
});
