/** Merges the logs of a link's two queues, which the kernel's log writes to two files, into one file. */
import { open, rm } from 'node:fs/promises';
import { headerBytes, recordBytes } from './format.ts';

const chunkBytes = 16_384 * recordBytes;
/**
 * Byte offsets in a record: of its direction, and of the upper half of its packet number (shaper/native/queue-log.h).
 */
const directionAt = 39;
const packetHighAt = 12;
/**
 * Bit that marks packet numbers of the second queue. Both logs count packets from the same numbers and use the lowest
 * 52 bits.
 */
const upBit = 1 << (52 - 32);

/**
 * Appends the records of `upFile`, marked as records of the queue from the clients, to `file`. Both files must be
 * complete.
 */
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
