/**
 * Records that the clip decoder writes after its first line: kind (1 byte), length (4 bytes, little-endian) and body.
 * This file is separate from the reader of the records, because loading the reader's schema would take a quarter of the
 * decoder's start time.
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

/**
 * Returns the head of the record of a frame that starts `startS` seconds after the first frame. The planes of the frame
 * follow without padding.
 */
export function frameHead(startS: number, planeBytes: number): Buffer {
  const start = Buffer.alloc(startBytes);
  start.writeDoubleLE(startS);
  return Buffer.concat([record(kinds.frame, startBytes + planeBytes), start]);
}

/** Record without a body, which shows that the decoder is still at work. */
export const aliveRecord = record(kinds.alive, 0);

export function endRecord(facts: ClipFacts): Buffer {
  const text = Buffer.from(JSON.stringify(facts));
  return Buffer.concat([record(kinds.end, text.length), text]);
}
