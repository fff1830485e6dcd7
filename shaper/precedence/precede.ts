/** The program coexist-precede (shaper/native/precede): runs another program with precedence. */
import { fileURLToPath } from 'node:url';

export const precedeProgram = fileURLToPath(new URL('../native/build/coexist-precede', import.meta.url));

/** Settings that a program gets before it starts; a missing one is left unchanged. */
type Order = {
  /** File with the processes of a control group. */
  group?: string;
  /** Nice value of the session, for kernels that group processes by sessions. */
  session?: number;
  nice?: number;
};

/** Command words before the program's. */
export function precedeWords({ group, session, nice }: Order, program = precedeProgram): string[] {
  const words = [
    ...(group === undefined ? [] : ['--group', group]),
    ...(session === undefined ? [] : ['--session', String(session)]),
    ...(nice === undefined ? [] : ['--nice', String(nice)]),
  ];
  return words.length === 0 ? [] : [program, ...words, '--'];
}
