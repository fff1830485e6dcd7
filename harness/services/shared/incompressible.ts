/**
 * Returns bytes that cannot be compressed and are the same on every machine: the key stream of AES-128 in counter mode
 * (NIST SP 800-38A, section 6.5).
 */
import { createCipheriv } from 'node:crypto';

const blockBytes = 1 << 20;
const block = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(blockBytes));

/** Largest piece that `incompressible` returns, bytes. */
export const pieceBytes = 1 << 16;

/**
 * Returns bytes `offset` to `offset + length` of an endless file, which repeats after about a megabyte. `length` is at
 * most `pieceBytes`.
 */
export function incompressible(offset: number, length: number): Buffer {
  const start = offset % (blockBytes - pieceBytes);
  return block.subarray(start, start + length);
}
