/** A folder for the tests of one file, removed when they have run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coexist-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
