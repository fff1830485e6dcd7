/** Merges the kernel's logs of a link's two queues, which it writes to separate files, into one file. */
import { open, rm } from 'node:fs/promises';
import { headerBytes, recordBytes } from './format.ts';

const chunkBytes = 16_384 * recordBytes;
/**
 * Where a record says which queue it is of, and the number of its packet, bytes from its start
 * (shaper/native/queue-log.h).
 */
const directionAt = 39;
const packetHighAt = 12;
/**
 * Packets of the two queues are counted from the same numbers on, of which the kernel's log uses the lowest 52 bits:
 * this one tells them apart.
 */
const upBit = 1 << (52 - 32);

/** Moves the records of `upFile`, as those of the queue from the clients, behind those of `file`. Both are complete. */
export async function appendUpLog(file: string, upFile: string): Promise<void> {
  const [from, to] = [await open(upFile, 'r'), await open(file, 'a')];
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let position = headerBytes; ; ) {
      const { bytesRead } = await from.read(chunk, 0, chunkBytes, position);
      const whole = bytesRead - (bytesRead % recordBytes);
      if (whole === 0) break;
      for (let offset = 0; offset < whole; offset += recordBytes) {
        chunk.writeUInt8(1, offset + directionAt);
        chunk.writeUInt32LE((chunk.readUInt32LE(offset + packetHighAt) | upBit) >>> 0, offset + packetHighAt);
      }
      await to.write(chunk, 0, whole);
      position += whole;
    }
  } finally {
    await from.close();
    await to.close();
  }
  await rm(upFile);
}
