/**
 * Decodes a file in a separate program without privileges. A crafted file may exploit a bug of a decoder. The attacker
 * then has only the rights of an unprivileged user, limited memory and a sandbox (decoder-sandbox.ts). The program's
 * output is also untrusted data.
 *
 * The program reads the file from descriptor 3. The program prints one line of JSON with the facts of the file, then
 * frames. The program ends with status 0, or with status 1 after a line that names the problem with the file
 * (decoder-main.ts).
 */
import { closeSync } from 'node:fs';
import { constants as system } from 'node:os';
import type { Readable } from 'node:stream';
import { CoexistError, type ErrorCode, messageOf, systemCode } from '../../core/errors.ts';
import { check, type z } from '../../core/schema/schema.ts';
import type { Child } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import { openRegularFile } from '../../core/system/regular-file.ts';
import { unprivileged } from '../../core/system/unprivileged.ts';
import { type StartedDecoder, startDecoder } from './decoder-sandbox.ts';

/** Memory limit of the decoder program. Node needs 0.65 GB, and a decoder of 8K holds about 20 frames of 50 MB. */
const memoryBytes = 3 * 2 ** 30;
/** Longest time between two pieces of the program's output, ms. A frame of 8K takes a second on an idle machine. */
const silentMs = 60_000;
const endMs = 10_000;
const mostHeaderBytes = 4096;

type Decoder<S extends z.ZodType> = {
  /** Path of the program (a TypeScript file), and its arguments. */
  program: string;
  words: readonly string[];
  /** Schema of the first line of output, which has the facts of the file. */
  facts: S;
  /** Name of the file's content in messages, such as "the clip". */
  what: string;
  /** Code of the error that is thrown if the file cannot be decoded. */
  code: ErrorCode;
  hints: { missing: string; broken: string };
};

type AnyDecoder = Decoder<z.ZodType>;

function broken({ what, code, hints }: AnyDecoder, path: string, error: unknown): CoexistError {
  if (error instanceof CoexistError && error.message.includes(path)) return error;
  return new CoexistError(code, `${what} ${path} cannot be decoded: ${messageOf(error)}`, {
    hint: hints.broken,
    cause: error,
  });
}

/**
 * Opens the file; returns its descriptor. Throws the decoder's `code` if the file is missing or is not a regular file.
 */
function openFile(decoder: AnyDecoder, path: string): number {
  const { what, code, hints } = decoder;
  const missing = () => new CoexistError(code, `${what} ${path} does not exist`, { hint: hints.missing });
  try {
    return openRegularFile(path);
  } catch (error) {
    throw error instanceof CoexistError || systemCode(error) === 'ENOENT' ? missing() : broken(decoder, path, error);
  }
}

/**
 * Decodes a file. `use` gets the facts of the file and the pieces of output that follow. The program is stopped when
 * `use` returns. Throws the decoder's `code` with the path and the reason, `timed-out`, and the errors of `use`.
 */
export async function decoded<S extends z.ZodType, T>(
  decoder: Decoder<S>,
  path: string,
  use: (facts: z.output<S>, pieces: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const file = openFile(decoder, path);
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', decoder.program, ...decoder.words];
  let started: StartedDecoder;
  try {
    started = await startDecoder(unprivileged(argv, { memoryBytes }), decoder.program, file);
  } finally {
    closeSync(file);
  }
  const { child, end } = started;
  try {
    const pieces = piecesOf(child, path);
    const { told, rest } = await headerOf(pieces);
    return await use(check(decoder.facts, told, 'the decoder', decoder.code), joined(rest, pieces));
  } catch (error) {
    throw error instanceof CoexistError && error.code !== decoder.code ? error : broken(decoder, path, error);
  } finally {
    await end();
  }
}

/**
 * Returns the signal that ended a child of a shell, from the exit status (POSIX.1-2017, XCU 2.8.2); undefined if no
 * signal ended it.
 */
const signalOf = (status: number | null) =>
  Object.entries(system.signals).find(([, number]) => status === 128 + number)?.[0];

/**
 * Yields the program's output to its end. Throws the program's error message if the program fails, `timed-out` if there
 * is no output for too long.
 */
async function* piecesOf(child: Child, path: string): AsyncGenerator<Buffer, undefined> {
  const pieces = (child.process.stdout as Readable)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const { done, value } = await within(pieces.next(), silentMs, `the decoder of ${path}`);
    if (done === true) break;
    yield value;
  }
  const { status, signal } = await within(child.ended, endMs, `the decoder of ${path} to end`);
  if (status === 0) return;
  const killedBy = signal ?? signalOf(status);
  throw new Error(
    status === 1 && child.lastWords !== ''
      ? child.lastWords
      : `the decoder crashed on it (${killedBy ?? `status ${status}`})`,
  );
}

async function headerOf(pieces: AsyncGenerator<Buffer, undefined>): Promise<{ told: unknown; rest: Buffer }> {
  let head: Buffer = Buffer.alloc(0);
  for (;;) {
    const end = head.indexOf('\n');
    if (end >= 0) {
      try {
        return { told: JSON.parse(head.toString('utf8', 0, end)), rest: head.subarray(end + 1) };
      } catch {
        break;
      }
    }
    if (head.length > mostHeaderBytes) break;
    const { done, value } = await pieces.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  throw new Error('the decoder does not say what it is');
}

async function* joined(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* others;
}

/** Joins pieces of any size into frames of `bytes` bytes. Each frame is valid until the next frame is read. */
export async function* framesOf(pieces: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  const frame = Buffer.allocUnsafe(bytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(frame, filled, at, at + bytes - filled);
      at += copied;
      filled += copied;
      if (filled < bytes) continue;
      yield frame;
      filled = 0;
    }
  }
  if (filled > 0) throw new Error('its last frame is not whole');
}
