/** Commands of the harness in a process that all tests of a file use. */
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LineServer } from './line-server.ts';

const program = fileURLToPath(new URL('command-server.ts', import.meta.url));

export type Ended = { status: number; stdout: string; stderr: string };

/** Runs a command, one at a time; the process starts with the first. */
export function commandsWith(env: NodeJS.ProcessEnv = {}): (...words: readonly string[]) => Promise<Ended> {
  let server: LineServer<Ended> | undefined;
  after(() => server?.stop());
  return (...words) => {
    server ??= new LineServer([process.execPath, '--disable-warning=ExperimentalWarning', program], {
      ...process.env,
      ...env,
    });
    return server.ask(words);
  };
}
