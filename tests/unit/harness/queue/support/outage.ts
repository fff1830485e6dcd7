/** Stops the server of an embedded PostgreSQL and starts it again on the same data, while clients use it. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../../../core/system/deadline.ts';

const patienceMs = 30_000;

/**
 * Returns the lines of postmaster.pid: line 1 is the server's process id, line 8 is "ready" when the server accepts
 * connections.
 */
const account = (folder: string) => readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n');

const isThere = (folder: string): boolean => {
  try {
    return account(folder)[7]?.trim() === 'ready';
  } catch {
    return false; // the server removes the file when it ends
  }
};

const statusOf = (id: number, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8'))![1]);

/**
 * Stops the server, and returns a function that starts it again. The shell that would remove the server's folder is
 * suspended until the second server has ended; `end` resumes the shell.
 */
export async function stopServer(url: string): Promise<{ start(): Promise<{ end(): Promise<void> }> }> {
  const folder = new URL(url.replace('@/', '@none/')).searchParams.get('host')!;
  const id = Number(account(folder)[0]);
  const argv = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const shell = statusOf(id, 'PPid');
  const { uid, gid } = statSync(folder);
  process.kill(shell, 'SIGSTOP');
  process.kill(id, 'SIGINT'); // fast shutdown, which cuts connections
  await until(() => (isThere(folder) ? undefined : true), patienceMs, 'the server to stop');
  return {
    async start() {
      const server = spawn(argv[0]!, argv.slice(1), { uid, gid, stdio: 'ignore', cwd: folder, env: { LC_ALL: 'C' } });
      const ended = new Promise(resolve => server.once('close', resolve));
      await until(() => (isThere(folder) ? true : undefined), patienceMs, 'the server to start');
      return {
        async end() {
          server.kill('SIGINT');
          await ended;
          process.kill(shell, 'SIGCONT');
        },
      };
    },
  };
}
