/** Distinguishes root of the machine from root of a user namespace (user_namespaces(7)). */
import { readFileSync } from 'node:fs';

/** Map of all user ids to themselves (/proc/self/uid_map). Only the machine's own user namespace has it. */
const everybody = /^\s*0\s+0\s+4294967295\s*$/;

export function isInUserNamespace(uidMap = readFileSync('/proc/self/uid_map', 'utf8')): boolean {
  return !everybody.test(uidMap);
}
