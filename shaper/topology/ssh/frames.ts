/**
 * Frames between harness and agent on one connection: a head in JSON, and a body in bytes.
 *
 *   length of the head in bytes, length of the body in bytes (4 bytes each, big-endian), head, body
 *
 * Both lengths are bounded, so that the other end cannot make this one hold more memory.
 */

/** Largest head of a frame, bytes; a command line with its environment is far shorter. */
export const maxHeadBytes = 1 << 20;
const maxBodyBytes = 1 << 18;

const lengthBytes = 8;

export type Head = Readonly<Record<string, unknown>>;

/** Error for input that is not a frame. */
export class FrameError extends Error {}

export function encodeFrame(head: Head, body: Uint8Array = new Uint8Array(0)): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  if (text.length > maxHeadBytes) throw new FrameError(`a head of ${text.length} bytes; ${maxHeadBytes} are allowed`);
  if (body.length > maxBodyBytes) throw new FrameError(`a body of ${body.length} bytes; ${maxBodyBytes} are allowed`);
  const lengths = Buffer.alloc(lengthBytes);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, text, body]);
}

/** Splits `bytes` into bodies, each of which fits into a frame. */
export function* bodiesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += maxBodyBytes) yield bytes.subarray(from, from + maxBodyBytes);
}

function parseHead(text: string): Head {
  let head: unknown;
  try {
    head = JSON.parse(text);
  } catch {
    throw new FrameError('a head that is not JSON');
  }
  if (typeof head !== 'object' || head === null || Array.isArray(head))
    throw new FrameError('a head that is no object');
  return head as Head;
}

/** Reader that takes chunks of bytes and returns whole frames. */
export class FrameReader {
  /** Chunks of an incomplete frame. They are joined once the frame is complete. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  #wantedBytes = lengthBytes;
  readonly #onFrame: (head: Head, body: Buffer) => void;

  constructor(onFrame: (head: Head, body: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  /** Adds a chunk and returns the frames that are complete. Throws `FrameError`; the reader is unusable afterwards. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes >= this.#wantedBytes) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
      this.#chunks = [bytes];
      const [headBytes, bodyBytes] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
      if (headBytes > maxHeadBytes) throw new FrameError(`a head of ${headBytes} bytes; ${maxHeadBytes} are allowed`);
      if (bodyBytes > maxBodyBytes) throw new FrameError(`a body of ${bodyBytes} bytes; ${maxBodyBytes} are allowed`);
      const bodyAt = lengthBytes + headBytes;
      this.#wantedBytes = bodyAt + bodyBytes;
      if (bytes.length < this.#wantedBytes) return;
      const head = parseHead(bytes.toString('utf8', lengthBytes, bodyAt));
      const body = bytes.subarray(bodyAt, this.#wantedBytes);
      this.#chunks = [bytes.subarray(this.#wantedBytes)];
      this.#bytes = this.#chunks[0]!.length;
      this.#wantedBytes = lengthBytes;
      this.#onFrame(head, body);
    }
  }
}
