/** Whether root is the machine's or only a user namespace's (user_namespaces(7)). */
import { readFileSync } from 'node:fs';

/** The whole range of user ids, which only the machine's own root has. */
const everybody = /^\s*0\s+0\s+4294967295\s*$/;

export function isInUserNamespace(uidMap = readFileSync('/proc/self/uid_map', 'utf8')): boolean {
  return !everybody.test(uidMap);
}
