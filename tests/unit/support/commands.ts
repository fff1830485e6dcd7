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

type Commands = (...words: readonly string[]) => Promise<CommandEnd>;

/** Those of this process, by their environment. */
const started = new Map<string, Commands>();

/**
 * Runs a command, one at a time. All files of a process that give the same environment share one process of commands: it
 * starts with the first command, and ends behind the last test.
 */
export function commandsWith(env: NodeJS.ProcessEnv = {}): Commands {
  const key = JSON.stringify(env);
  const known = started.get(key);
  if (known !== undefined) return known;
  let server: CommandServer | undefined;
  after(() => server?.stop());
  const commands: Commands = (...words) => {
    server ??= new CommandServer(env);
    return server.ask(words);
  };
  started.set(key, commands);
  return commands;
}
