/**
 * A clip is decoded by a program of its own without privileges (decode-clip.ts): whoever has made the file may know a
 * mistake of a decoder, and finds no more than nobody's rights and an end to its memory. What the program tells is data
 * from a stranger, too.
 */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Child } from '../../core/command.ts';
import { within } from '../../core/deadline.ts';
import { CoexistError, messageOf, systemCode } from '../../core/errors.ts';
import { check, z } from '../../core/schema.ts';
import { unprivileged } from '../../core/unprivileged.ts';

const program = fileURLToPath(new URL('./decode-clip.ts', import.meta.url));
/** Node itself counts for 0.65 GB of it; a decoder of 8K holds about 20 frames of 50 MB. */
const memoryBytes = 3 * 2 ** 30;
/** From one piece of what it writes to the next: a frame of 8K takes a second, on a machine that is not busy. */
const silentMs = 60_000;
const endMs = 10_000;
const mostHeaderBytes = 4096;

const headerSchema = z.strictObject({
  width: z.number().int().min(1).max(65_536),
  height: z.number().int().min(1).max(65_536),
  frameRate: z.number().positive().max(1e6),
  codec: z.string().max(100),
  /** Length of the file; null where it does not say. */
  seconds: z.number().positive().nullable(),
});

/** What a file is. */
export type DecodedClip = z.output<typeof headerSchema>;

function badClip(path: string, error: unknown): CoexistError {
  if (error instanceof CoexistError && error.message.includes(path)) return error;
  return new CoexistError('bad-clip', `the clip ${path} cannot be decoded: ${messageOf(error)}`, {
    hint: 'play it with another program to see whether it is whole, or give another with --set service.clip=FILE',
    cause: error,
  });
}

/** Of a file that exists. Throws `bad-clip` where it does not. */
function openFile(path: string): number {
  const missing = () =>
    new CoexistError('bad-clip', `the clip ${path} does not exist`, {
      hint: 'give the path of a video file with --set service.clip=FILE',
    });
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw systemCode(error) === 'ENOENT' ? missing() : badClip(path, error);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw missing();
}

/**
 * Decodes a clip. `words`: what the program is to do. `use` is given what the file is and the pieces of what follows;
 * when it has returned, the program is ended. Throws `bad-clip`, `timed-out`, or what `use` throws.
 */
export async function withDecoder<T>(
  path: string,
  words: readonly string[],
  use: (facts: DecodedClip, pieces: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const file = openFile(path);
  let child: Child;
  try {
    const [name, ...argv] = unprivileged(
      [process.execPath, '--disable-warning=ExperimentalWarning', program, ...words],
      { memoryBytes },
    );
    child = new Child(
      'the decoder',
      spawn(name!, argv, {
        stdio: ['pipe', 'pipe', 'pipe', file],
        detached: true,
        env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' },
      }),
    );
  } finally {
    closeSync(file);
  }
  child.process.stdin!.on('error', () => {}); // its end is noticed
  try {
    const pieces = piecesOf(child, path);
    const { facts, rest } = await headerOf(pieces);
    return await use(facts, joined(rest, pieces));
  } catch (error) {
    throw error instanceof CoexistError && error.code !== 'bad-clip' ? error : badClip(path, error);
  } finally {
    child.process.stdout!.destroy(); // what nobody reads would hold up its end
    await child.stop('SIGKILL');
  }
}

/** What it writes, to its end. Throws `bad-clip` with what it says where it fails, `timed-out` where it stands still. */
async function* piecesOf(child: Child, path: string): AsyncGenerator<Buffer, undefined> {
  const pieces = (child.process.stdout as Readable)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const { done, value } = await within(pieces.next(), silentMs, `the decoder of ${path}`);
    if (done === true) break;
    yield value;
  }
  const { status, signal } = await within(child.ended, endMs, `the decoder of ${path} to end`);
  if (status === 0) return;
  throw new CoexistError(
    'bad-clip',
    status === 1 && child.lastWords !== ''
      ? child.lastWords
      : `the decoder crashed on it (${signal ?? `status ${status}`})`,
  );
}

async function headerOf(pieces: AsyncGenerator<Buffer, undefined>): Promise<{ facts: DecodedClip; rest: Buffer }> {
  let head: Buffer = Buffer.alloc(0);
  for (;;) {
    const end = head.indexOf('\n');
    if (end >= 0) {
      let told: unknown;
      try {
        told = JSON.parse(head.toString('utf8', 0, end));
      } catch {
        break;
      }
      return { facts: check(headerSchema, told, 'the decoder', 'bad-clip'), rest: head.subarray(end + 1) };
    }
    if (head.length > mostHeaderBytes) break;
    const { done, value } = await pieces.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  throw new CoexistError('bad-clip', 'the decoder does not say what it is');
}

async function* joined(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* others;
}

/** Decodes the first frames of a clip: enough to refuse a file that is none. */
export async function probeClip(path: string): Promise<Omit<DecodedClip, 'seconds'>> {
  return withDecoder(path, ['probe'], async ({ seconds: _, ...facts }, pieces) => {
    for await (const _ of pieces) throw new CoexistError('bad-clip', 'the decoder says more than it was asked');
    return facts;
  });
}
