/** A folder for the tests of one file, removed when they have run; no link leads to it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'coexist-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
