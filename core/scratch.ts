/** A folder for temporary files of a command that has no run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lease } from './lease.ts';

/**
 * The folder is there while `body` runs. It is in a lease, so that the next start removes what a killed command leaves;
 * only root can write leases, and another user gets a folder in the place for temporary files.
 */
export async function withScratch<T>(body: (folder: string) => Promise<T>): Promise<T> {
  if (process.geteuid?.() === 0) {
    const lease = Lease.open();
    try {
      return await body(lease.scratch);
    } finally {
      lease.release();
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'coexist-scratch-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
