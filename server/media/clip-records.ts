/**
 * Reads the records of the clip decoder (clip-record-form.ts). The records are untrusted data, so all values are
 * checked here.
 */

import { CoexistError } from '../../core/errors.ts';
import { check } from '../../core/schema/schema.ts';
import { type ClipFacts, clipFactsSchema } from '../../core/vocabulary/clip-facts.ts';
import { headBytes, kinds, startBytes } from './clip-record-form.ts';

const mostEndBytes = 2 ** 16;

/** A frame with its start, or the facts of the clip. `planes` is valid until the next record is read. */
type ClipRecord = { startS: number; planes: Buffer } | { facts: ClipFacts };

const unknown = () => new CoexistError('bad-clip', 'the decoder says what it was not asked');

/**
 * Yields the records in `pieces`, which may have any size. The last record has the facts of the clip. `planeBytes`:
 * size of a frame's planes; 0 if no frames are expected.
 */
export async function* clipRecords(pieces: AsyncIterable<Buffer>, planeBytes: number): AsyncGenerator<ClipRecord> {
  const source = new Reader(pieces);
  for (;;) {
    const head = await source.take(headBytes);
    const [kind, length] = [head.readUInt8(0), head.readUInt32LE(1)];
    if (kind === kinds.alive && length === 0) continue;
    if (kind === kinds.frame && planeBytes > 0 && length === startBytes + planeBytes) {
      const startS = (await source.take(startBytes)).readDoubleLE(0);
      yield { startS, planes: await source.take(planeBytes) };
    } else if (kind === kinds.end && length <= mostEndBytes) {
      yield { facts: check(clipFactsSchema, parsed(await source.take(length)), 'the decoder', 'bad-clip') };
      return source.finish();
    } else throw unknown();
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw unknown();
  }
}

class Reader {
  readonly #pieces: AsyncIterator<Buffer>;
  #piece: Buffer = Buffer.alloc(0);
  /** Buffer in which records that arrive in several pieces are joined; reused because frames are large. */
  #joined: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Returns the next `bytes` bytes. The returned buffer is valid until the next call. */
  async take(bytes: number): Promise<Buffer> {
    if (this.#piece.length >= bytes) return this.#cut(bytes);
    if (this.#joined.length < bytes) this.#joined = Buffer.allocUnsafe(bytes);
    const joined = this.#joined.subarray(0, bytes);
    for (let filled = 0; filled < bytes; ) {
      if (this.#piece.length === 0) {
        const { done, value } = await this.#pieces.next();
        if (done === true) throw new CoexistError('bad-clip', 'the decoder ended in the middle');
        this.#piece = value;
      }
      filled += this.#cut(Math.min(this.#piece.length, bytes - filled)).copy(joined, filled);
    }
    return joined;
  }

  /** Waits for the end of the decoder's output. Throws if there is more output. */
  async finish(): Promise<void> {
    if (this.#piece.length > 0 || (await this.#pieces.next()).done !== true) throw unknown();
  }

  #cut(bytes: number): Buffer {
    const part = this.#piece.subarray(0, bytes);
    this.#piece = this.#piece.subarray(bytes);
    return part;
  }
}
