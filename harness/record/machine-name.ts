/** Name of a machine in the records of its trials. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Returns the host name and four hexadecimal digits of a hash of machine-id(5). The digits differ between cloned
 * machines with the same host name. Without a machine-id, returns the host name alone.
 */
export function machineName(idFile = '/etc/machine-id'): string {
  let id = '';
  try {
    id = readFileSync(idFile, 'utf8').trim();
  } catch {
    // for example in a container
  }
  return id === '' ? hostname() : `${hostname()}-${createHash('sha256').update(id).digest('hex').slice(0, 4)}`;
}
