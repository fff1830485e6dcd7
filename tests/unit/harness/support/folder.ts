/** A folder for the tests of one file, removed when they have run; no link leads to it. */
import { rmSync } from 'node:fs';
import { after } from 'node:test';
import { testFolder } from '../../../runner/test-names.ts';

export function temporaryFolder(): string {
  const folder = testFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
