/** Commands of the harness in a process that several tests use (command-server.ts). */
import { join } from 'node:path';
import { after } from 'node:test';
import { projectRoot } from '../../../core/system/paths.ts';
import { LineServer } from './line-server.ts';

export type CommandEnd = { status: number; stdout: string; stderr: string };

/** Runs commands, one at a time, of the checkout or a copy of it. Whoever makes it stops it. */
export class CommandServer extends LineServer<CommandEnd> {
  constructor(env: NodeJS.ProcessEnv = {}, root = projectRoot) {
    const program = join(root, 'tests/unit/support/command-server.ts');
    super([process.execPath, '--disable-warning=ExperimentalWarning', program], { ...process.env, ...env }, root);
  }
}

/** Runs a command, one at a time; the process starts with the first, and ends behind the last test of the file. */
export function commandsWith(env: NodeJS.ProcessEnv = {}): (...words: readonly string[]) => Promise<CommandEnd> {
  let server: CommandServer | undefined;
  after(() => server?.stop());
  return (...words) => {
    server ??= new CommandServer(env);
    return server.ask(words);
  };
}
