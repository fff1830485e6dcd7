/** Programs of the test's own in place of real ones. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of a shell script in a folder, made executable. */
export function standIn(folder: string, name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
