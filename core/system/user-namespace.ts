/** Distinguishes root of the machine from root of a user namespace (user_namespaces(7)). */
import { readFileSync } from 'node:fs';

/**
 * Pattern of /proc/self/uid_map if it maps all user ids to themselves. Only the machine's own user namespace has this
 * map.
 */
const everybody = /^\s*0\s+0\s+4294967295\s*$/;

export function isInUserNamespace(uidMap = readFileSync('/proc/self/uid_map', 'utf8')): boolean {
  return !everybody.test(uidMap);
}
