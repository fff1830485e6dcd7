/** Makes the entrance to a browser on another machine (relay.ts, there-main.ts). */
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { bareTextEnvironment } from '../../../core/system/child-environment.ts';
import type { Child } from '../../../core/system/command.ts';
import { within } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import type { BrowserCommandOptions } from './browser-command.ts';
import type { BrowserConfinement, Entrance, EntranceOptions } from './entrance.ts';
import { lastWordsPrefix } from './last-words.ts';
import { withoutPlaywrightsFolder } from './profile-folder.ts';
import type { UseLimits } from './use.ts';

/** Argument of the program on the other machine. Paths of files are paths on that machine. */
export type ThereConfig = {
  options: Pick<BrowserCommandOptions, 'executable' | 'files' | 'environment' | 'isTrusted'>;
  limits: UseLimits;
  /** Switches of the browser. */
  words: string[];
};

const relay = fileURLToPath(new URL('relay.ts', import.meta.url));
const main = new URL('there-main.ts', import.meta.url);
/** Longest wait for the program's last line after the end of its pipe, ms. */
const lastWordsMs = 1000;
const mostHeadBytes = 1 << 20;

const confinementSchema = z.strictObject({
  isConfined: z.boolean(),
  hasChromiumSandbox: z.boolean(),
  obstacle: z.string().max(10_000).nullable(),
  limits: z.enum(['control group', 'rlimits']),
});

/** Reads the first line of a stream as JSON and passes the value to `took`. The rest stays in the stream. */
function onHead(stream: NodeJS.ReadableStream, took: (said: unknown) => void, failed: (error: unknown) => void): void {
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(10);
    if (end < 0 && head.length < mostHeadBytes) return;
    stream.off('data', onData);
    stream.pause();
    try {
      const said: unknown = JSON.parse(head.subarray(0, end).toString());
      stream.unshift(head.subarray(end + 1));
      took(said);
    } catch (error) {
      failed(error);
    }
  };
  stream.on('data', onData);
}

/** `directory`: folder in the lease's scratch folder, for the socket and for the program that Playwright starts. */
export async function entranceThere(host: Host, options: EntranceOptions, directory: string): Promise<Entrance> {
  if (options.headed)
    throw new CoexistError('no-display', `a browser on ${host.name} has no window here`, {
      hint: 'leave out --headed',
    });
  const { executable, files = [], environment, isTrusted, limits } = options;
  const argv = await host.moduleWords(main);
  const commandOptions = {
    executable,
    files: await Promise.all(files.map(file => host.give(file))),
    ...(environment === undefined ? {} : { environment }),
    ...(isTrusted === undefined ? {} : { isTrusted }),
  };
  let program: Child | undefined;
  let confinement: BrowserConfinement | undefined;
  const start = (words: unknown, socket: Socket) => {
    const config: ThereConfig = { options: commandOptions, limits, words: z.array(z.string()).parse(words) };
    const child = (program = host.start('browser', [...argv, JSON.stringify(config)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }));
    const { stdin, stdout } = child.process;
    stdin!.on('error', () => {}); // the program's end is reported
    socket.pipe(stdin!);
    onHead(
      stdout!,
      said => {
        confinement = check(confinementSchema, said, `the browser on ${host.name}`, 'browser-failed');
        stdout!.pipe(socket);
      },
      () => void child.stop('SIGKILL'),
    );
    void child.ended.then(() => socket.destroy());
  };
  const place = join(directory, 'socket');
  const server = createServer({ pauseOnConnect: false }, socket => {
    server.close(); // only one browser connects
    socket.on('error', () => {});
    onHead(
      socket,
      words => start(words, socket),
      () => socket.destroy(),
    );
  });
  await listen(server, place);
  const wrapper = join(directory, 'browser');
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', relay, place].map(quoteWord).join(' ');
  writeFileSync(wrapper, `#!/bin/sh\n${withoutPlaywrightsFolder}exec ${words} "$@"\n`);
  chmodSync(wrapper, 0o700);
  return {
    program: wrapper,
    environment: bareTextEnvironment(),
    hasChromiumSandbox: true, // the program on the other machine decides
    confinement: () => confinement!,
    watch() {}, // the program on the other machine checks the limits
    async ended(what) {
      if (program !== undefined) await within(program.ended, lastWordsMs, 'its last words').catch(() => {});
      const said = program?.lastWords ?? '';
      return new CoexistError(
        'browser-died',
        said.startsWith(lastWordsPrefix) ? said.slice(lastWordsPrefix.length) : what,
      );
    },
    async kill() {
      await program?.stop('SIGKILL');
    },
    async end() {
      server.close();
      await program?.stop();
    },
  };
}

async function listen(server: Server, place: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(place, resolve);
  try {
    await promise;
  } catch (error) {
    throw new CoexistError('browser-failed', `the socket for the browser could not be made: ${messageOf(error)}`);
  }
}
