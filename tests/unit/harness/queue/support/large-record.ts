/** Writes a record of about 100 MB whose series resemble those of a trial. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../../../core/random.ts';

/** Writes the record. Returns its size, bytes. */
export function writeLargeRecord(directory: string, bytes = 100e6): number {
  mkdirSync(directory, { recursive: true });
  const random = seededRandom(1);
  const upTo = (most: number) => random.next() * most;
  const file = openSync(join(directory, 'queue.jsonl'), 'w');
  let written = 0;
  for (let time = 0; written < bytes; ) {
    const lines = [];
    for (let k = 0; k < 1000; k++)
      lines.push(
        JSON.stringify({ timeMs: (time += upTo(2)), delayMs: upTo(200), bytes: 1200, flow: Math.floor(upTo(3)) }),
      );
    written += writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
  return written;
}
