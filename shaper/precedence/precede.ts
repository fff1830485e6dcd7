/** The program coexist-precede (shaper/native/precede): runs another one with the precedence that it is to have. */
import { fileURLToPath } from 'node:url';

export const precedeProgram = fileURLToPath(new URL('../native/build/coexist-precede', import.meta.url));

/** What a program gets before it begins; what is missing stays as it is. */
type Order = {
  /** File of a control group that lists its processes. */
  group?: string;
  /** Nice value of its session, where the kernel groups processes by sessions. */
  session?: number;
  /** Nice value of its own. */
  nice?: number;
};

/** The words that come before the program's own. */
export function precedeWords({ group, session, nice }: Order, program = precedeProgram): string[] {
  const words = [
    ...(group === undefined ? [] : ['--group', group]),
    ...(session === undefined ? [] : ['--session', String(session)]),
    ...(nice === undefined ? [] : ['--nice', String(nice)]),
  ];
  return words.length === 0 ? [] : [program, ...words, '--'];
}
