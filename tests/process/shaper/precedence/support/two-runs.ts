/**
 * A program in which two runs raise its session; the second finds it raised. The arguments are their folders. Prints
 * JSON: the session's nice values before, while both hold it, after the second has released it, and at the end.
 */
import { readFileSync } from 'node:fs';
import { raiseSession, restoreSession } from '../../../../../shaper/precedence/session.ts';

const [first, second] = process.argv.slice(2) as [string, string];
const nice = () => Number(/nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'))![1]);
const before = nice();
raiseSession(before - 1, first);
raiseSession(before - 1, second);
const held = nice();
restoreSession(second);
const one = nice();
restoreSession(first);
process.stdout.write(JSON.stringify([before, held, one, nice()]));
