/**
 * An agent's folder on its machine, for files sent to the machine and for output of programs there. The folder is
 * created with its first file. The shell that started the agent removes the folder when the agent ends for any reason
 * (launch.ts).
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { CoexistError, writeError } from '../../../core/errors.ts';
import { childEnvironment } from '../../../core/system/child-environment.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { Child } from '../../../core/system/command.ts';
import { within } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import { formatSize } from '../../../core/text/units.ts';
import { mostRecordBytes } from '../../../core/vocabulary/record-limit.ts';
import { bundleProgram } from './bundle.ts';

/** Longest time for a part of a file in either direction, ms; the connection may be slow. */
const partMs = 120_000;
/**
 * Bytes of a part of a file. Each part is sent after the previous one has arrived, because the agent holds unread input
 * in memory.
 */
const partBytes = 1 << 24;

/** Limits of a file that a machine sends: number of bytes, and time for each part, ms. */
const usualLimits = { fileBytes: mostRecordBytes, partMs };

/**
 * Shell scripts that write a file. $1: the folder, $2: the file's name, $3: its mode. They refuse a folder of another
 * user.
 */
const script = {
  begin: 'mkdir -m 700 "$1" 2>/dev/null || { [ -d "$1" ] && [ -O "$1" ]; }\n: > "$1/$2.part"',
  part: 'cat >> "$1/$2.part"',
  end: 'chmod "$3" "$1/$2.part"\nmv "$1/$2.part" "$1/$2"',
  folder: 'mkdir -m 700 -p "$1/$2"',
  unpack: 'mkdir "$1/$2"\ntar -x -f - -C "$1/$2" --no-same-owner < "$1/$3"\nrm "$1/$3"',
};

const digest = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

export class RemoteFolder {
  readonly #host: Pick<Host, 'name' | 'run' | 'start'>;
  readonly #path: string;
  readonly #limits: typeof usualLimits;
  /** Path on the machine of each file that was sent, by local path. */
  readonly #given = new Map<string, Promise<string>>();
  readonly #names = new Set<string>();
  /** Settles when the file that is being brought here has arrived or failed. */
  #brought: Promise<unknown> = Promise.resolve();

  constructor(host: Pick<Host, 'name' | 'run' | 'start'>, path: string, limits = usualLimits) {
    this.#host = host;
    this.#path = path;
    this.#limits = limits;
  }

  /** Sends a local file unless it was sent before. Returns its path on the machine. */
  give(file: string): Promise<string> {
    return this.#once(file, async () => {
      const [bytes, { mode }] = await Promise.all([readFile(file), stat(file)]);
      return this.#send(`${digest(bytes)}-${basename(file)}`, bytes, (mode & 0o100) === 0 ? '600' : '700');
    });
  }

  /** Bundles a module and all its imports in one script, and sends the script. Returns its path on the machine. */
  giveModule(module: URL): Promise<string> {
    return this.#once(module.href, async () => {
      const script = bundleProgram(module);
      return this.#send(`${digest(script)}-${basename(fileURLToPath(module), '.ts')}.mjs`, script, '600');
    });
  }

  /**
   * Sends the files at `paths` below `base`, unless they were sent before. Returns the path of the folder on the
   * machine that contains them at the same paths.
   */
  giveTree(base: string, paths: readonly string[]): Promise<string> {
    return this.#once(`${base} ${paths.join(' ')}`, async () => {
      const bytes = await archiveOf(base, paths);
      const name = `${digest(bytes)}-tree`;
      const archive = `${name}.tar`;
      await this.put(archive, bytes, '600');
      await this.#run(script.unpack, [name, archive]);
      this.#names.add(name);
      return `${this.#path}/${name}`;
    });
  }

  async put(name: string, content: string | Uint8Array, mode: string): Promise<string> {
    const bytes = Buffer.from(content);
    const last = Math.max(1, Math.ceil(bytes.length / partBytes)) - 1;
    for (let k = 0; k <= last; k++) {
      const steps = [...(k === 0 ? [script.begin] : []), script.part, ...(k === last ? [script.end] : [])];
      await this.#run(steps.join('\n'), [name, mode], bytes.subarray(k * partBytes, (k + 1) * partBytes));
    }
    return `${this.#path}/${name}`;
  }

  async #run(steps: string, words: readonly string[], input: Uint8Array = Buffer.alloc(0)): Promise<void> {
    await this.#host.run(['sh', '-ec', steps, 'sh', this.#path, ...words], { input, timeoutMs: partMs });
  }

  /** Names of the sent files on the machine. */
  get names(): string[] {
    return [...this.#names].sort();
  }

  /**
   * Returns the path on the machine at which a program there writes what becomes the local file `file`. The folder must
   * exist.
   */
  placeOf(file: string): string {
    return `${this.#path}/${digest(file)}-${basename(file)}`;
  }

  /**
   * Returns the path of the folder on the machine in which programs write what becomes files of the local folder
   * `directory`.
   */
  folderOf(directory: string): Promise<string> {
    return this.#once(directory, async () => {
      const name = `${digest(directory)}-folder`;
      await this.#run(script.folder, [name]);
      return `${this.#path}/${name}`;
    });
  }

  /**
   * Brings the output at `place` to the local file, and removes it on the machine. Throws `host-lost` if the output is
   * too large or too slow. Files come one after another; in parallel, each would need more time for a part.
   */
  bring(file: string, place = this.placeOf(file)): Promise<void> {
    const mine = this.#brought.then(() => this.#bring(file, place));
    this.#brought = mine.catch(() => {});
    return mine;
  }

  async #bring(file: string, place: string): Promise<void> {
    // a link of that name would lead elsewhere
    await rm(file, { force: true }).catch(error => {
      throw writeError(error, file);
    });
    const reader = this.#host.start('cat', ['cat', '--', place], { stdio: ['ignore', 'pipe', 'pipe'] });
    const what = `machine "${this.#host.name}" to send ${place}`;
    try {
      await pipeline(this.#limited(reader.process.stdout!, what), createWriteStream(file, { flags: 'wx' }));
      const { status } = await within(reader.ended, this.#limits.partMs, what, { code: 'host-lost' });
      if (status !== 0) throw new CoexistError('probe-died', `${place} could not be read: ${reader.lastWords}`);
    } catch (error) {
      // the first error is reported
      await reader.stop('SIGKILL').catch(() => {});
      await rm(file, { force: true }).catch(() => {});
      throw writeError(error, file);
    }
    await this.#host.run(['rm', '-f', '--', place]);
  }

  /**
   * Yields the data of `source` up to the size limit. The time to write it on this machine does not count against the
   * time limit.
   */
  async *#limited(source: Readable, what: string): AsyncGenerator<Buffer> {
    const { fileBytes, partMs: mostMs } = this.#limits;
    const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let [bytes, leftMs] = [0, mostMs];
    try {
      for (;;) {
        const askedMs = nowMs();
        const { done, value } = await within(chunks.next(), leftMs, what, { code: 'host-lost' });
        if (done === true) return;
        const parts = Math.floor((bytes + value.length) / partBytes) - Math.floor(bytes / partBytes);
        leftMs = parts > 0 ? mostMs : leftMs - (nowMs() - askedMs);
        bytes += value.length;
        if (bytes > fileBytes)
          throw new CoexistError(
            'host-lost',
            `machine "${this.#host.name}" sends more than ${formatSize(fileBytes)} for one file`,
          );
        yield value;
      }
    } finally {
      source.destroy();
    }
  }

  async #send(name: string, bytes: string | Uint8Array, mode: string): Promise<string> {
    const path = await this.put(name, bytes, mode);
    this.#names.add(name);
    return path;
  }

  #once(key: string, send: () => Promise<string>): Promise<string> {
    const given = this.#given.get(key) ?? send();
    this.#given.set(key, given);
    given.catch(() => this.#given.delete(key));
    return given;
  }
}

/** Returns an archive of the files at `paths` below `base`, without owners and times. */
async function archiveOf(base: string, paths: readonly string[]): Promise<Buffer> {
  const words = ['-c', '-f', '-', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  const tar = new Child(
    'tar',
    spawn('tar', [...words, '-C', base, '--', ...paths], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnvironment(),
    }),
  );
  const parts: Buffer[] = [];
  tar.process.stdout!.on('data', (part: Buffer) => parts.push(part));
  try {
    const { status } = await within(tar.ended, partMs, 'tar to end');
    if (status !== 0) throw new CoexistError('command-failed', `tar failed: ${tar.lastWords}`);
  } finally {
    await tar.stop('SIGKILL');
  }
  return Buffer.concat(parts);
}
