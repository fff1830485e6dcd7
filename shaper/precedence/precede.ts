/** The program coexist-precede (shaper/native/precede): runs another program with precedence. */
import { fileURLToPath } from 'node:url';

export const precedeProgram = fileURLToPath(new URL('../native/build/coexist-precede', import.meta.url));

/** Settings that a program gets before it starts; a missing one stays unchanged. */
type Order = {
  /** File that moves the program into a control group (cgroup.procs). */
  group?: string;
  /** Nice value of the program's session, for kernels that group processes by sessions. */
  session?: number;
  nice?: number;
};

/**
 * Returns the words to put before a command so that coexist-precede runs it with these settings; empty if there are
 * none.
 */
export function precedeWords({ group, session, nice }: Order, program = precedeProgram): string[] {
  const words = [
    ...(group === undefined ? [] : ['--group', group]),
    ...(session === undefined ? [] : ['--session', String(session)]),
    ...(nice === undefined ? [] : ['--nice', String(nice)]),
  ];
  return words.length === 0 ? [] : [program, ...words, '--'];
}
