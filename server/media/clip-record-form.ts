/**
 * Records that the decoder of clips writes after its first line: each has a kind (1 byte), a length (4 bytes, the lowest
 * first) and what it is about. Apart from their reader, whose schema the decoder would load in vain, a quarter of its
 * start.
 */
import type { ClipFacts } from '../../core/vocabulary/clip-facts.ts';

export const kinds = { frame: 1, alive: 2, end: 3 } as const;
export const headBytes = 5;
export const startBytes = 8;

function record(kind: number, bytes: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(kind, 0);
  head.writeUInt32LE(bytes, 1);
  return head;
}

/** A frame that begins at `startS` from the first; its planes follow without padding. */
export function frameHead(startS: number, planeBytes: number): Buffer {
  const start = Buffer.alloc(startBytes);
  start.writeDoubleLE(startS);
  return Buffer.concat([record(kinds.frame, startBytes + planeBytes), start]);
}

/** The decoder is at work; it has nothing to show yet. */
export const aliveRecord = record(kinds.alive, 0);

export function endRecord(facts: ClipFacts): Buffer {
  const text = Buffer.from(JSON.stringify(facts));
  return Buffer.concat([record(kinds.end, text.length), text]);
}
