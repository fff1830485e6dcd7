/**
 * The folder of an agent on its machine: for what is sent there, and for what programs write there. It is made with its
 * first file. Whatever ends the agent, the shell that has started it removes the folder (launch.ts).
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CoexistError, writeError } from '../../../core/errors.ts';
import type { Host } from '../../../core/host.ts';
import { bundleProgram } from './bundle.ts';

/** Programs are a few megabytes, and a connection may be slow. */
const sendMs = 120_000;

/** $1: the folder, $2: the file's name, $3: its mode. A folder that somebody else has made is not taken. */
const put = [
  'mkdir -m 700 "$1" 2>/dev/null || { [ -d "$1" ] && [ -O "$1" ]; }',
  'cat > "$1/$2.part"',
  'chmod "$3" "$1/$2.part"',
  'mv "$1/$2.part" "$1/$2"',
].join('\n');

const digest = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

export class RemoteFolder {
  readonly #host: Pick<Host, 'run' | 'start'>;
  readonly #path: string;
  /** By the path here. */
  readonly #given = new Map<string, Promise<string>>();
  readonly #names = new Set<string>();

  constructor(host: Pick<Host, 'run' | 'start'>, path: string) {
    this.#host = host;
    this.#path = path;
  }

  /** The path there of a file of this machine, which is sent once. */
  give(file: string): Promise<string> {
    return this.#once(file, async () => {
      const [bytes, { mode }] = await Promise.all([readFile(file), stat(file)]);
      return this.#send(`${digest(bytes)}-${basename(file)}`, bytes, (mode & 0o100) === 0 ? '600' : '700');
    });
  }

  /** The path there of a module of ours and all that it imports, as one script. */
  giveModule(module: URL): Promise<string> {
    return this.#once(module.href, async () => {
      const script = bundleProgram(module);
      return this.#send(`${digest(script)}-${basename(module.pathname, '.ts')}.mjs`, script, '600');
    });
  }

  async put(name: string, bytes: string | Uint8Array, mode: string): Promise<string> {
    await this.#host.run(['sh', '-ec', put, 'sh', this.#path, name, mode], { input: bytes, timeoutMs: sendMs });
    return `${this.#path}/${name}`;
  }

  /** Of what was given, as it is called there. */
  get names(): string[] {
    return [...this.#names].sort();
  }

  /** Where a program has to write what is to become this file here. The folder has to be there. */
  placeOf(file: string): string {
    return `${this.#path}/${digest(file)}-${basename(file)}`;
  }

  /** Brings it here, and removes it there. */
  async bring(file: string): Promise<void> {
    const place = this.placeOf(file);
    const reader = this.#host.start('cat', ['cat', '--', place], { stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      await pipeline(reader.process.stdout!, createWriteStream(file));
    } catch (error) {
      await reader.stop('SIGKILL');
      throw writeError(error, file);
    }
    const { status } = await reader.ended;
    if (status !== 0) throw new CoexistError('probe-died', `${place} could not be read: ${reader.lastWords}`);
    await this.#host.run(['rm', '-f', '--', place]);
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
