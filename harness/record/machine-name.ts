/** What a machine is called in the records of its trials. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Its host name, and four digits of its machine-id(5), which clones of a name do not share; without where there is
 * none.
 */
export function machineName(idFile = '/etc/machine-id'): string {
  let id = '';
  try {
    id = readFileSync(idFile, 'utf8').trim();
  } catch {
    // a container may have none
  }
  return id === '' ? hostname() : `${hostname()}-${createHash('sha256').update(id).digest('hex').slice(0, 4)}`;
}
