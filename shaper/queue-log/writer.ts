/** Writer of a queue log (shaper/native/queue-log.h) for a backend whose packets no native program logs. */
import { type FileHandle, open } from 'node:fs/promises';
import { type DropReason, dropReasons } from '../../core/vocabulary/drop-reason.ts';
import { headerBytes, magic, recordBytes, sourceNumber } from './format.ts';

const chunkRecords = 4096;
const events = { enqueue: 1, dequeue: 2, drop: 3 } as const;
/** IP protocols that have ports: TCP and UDP. */
const withPorts: readonly number[] = [6, 17];

export type WrittenRecord = {
  timeNs: number;
  packet: number;
  event: keyof typeof events;
  /** Reason of a drop; missing for other events. */
  reason?: DropReason;
  sojournNs: number;
  /** Length of the packet as the queue counts it. */
  lengthBytes: number;
  queuePackets: number;
  queueBytes: number;
  /** The packet from its IPv4 header on, at least as far as its transport header. */
  ip: Buffer;
};

export class QueueLogWriter {
  readonly #file: FileHandle;
  readonly #chunk = Buffer.alloc(chunkRecords * recordBytes);
  #waiting = 0;
  #records = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates the file. `offsetNs`: wall clock minus CLOCK_MONOTONIC; `monotonicNs`: a time for the header. */
  static async create(path: string, { monotonicNs, offsetNs }: { monotonicNs: bigint; offsetNs: bigint }) {
    const file = await open(path, 'w');
    const header = Buffer.alloc(headerBytes);
    magic.copy(header);
    header.writeUInt32LE(recordBytes, 8);
    header.writeUInt32LE(sourceNumber('capture'), 12);
    header.writeBigUInt64LE(monotonicNs, 16);
    header.writeBigUInt64LE(monotonicNs + offsetNs, 24);
    header.writeUInt32LE(1, 32); // records have the type of service
    await file.write(header);
    return new QueueLogWriter(file);
  }

  async write(record: WrittenRecord): Promise<void> {
    const { ip } = record;
    const at = this.#waiting * recordBytes;
    const bytes = this.#chunk.subarray(at, at + recordBytes).fill(0);
    bytes.writeBigUInt64LE(BigInt(record.timeNs), 0);
    bytes.writeBigUInt64LE(BigInt(record.packet), 8);
    bytes.writeBigUInt64LE(BigInt(record.sojournNs), 16);
    ip.copy(bytes, 24, 12, 20);
    const transport = ip.subarray((ip[0]! & 15) * 4);
    if (withPorts.includes(ip[9]!)) transport.copy(bytes, 32, 0, 4);
    bytes.writeUInt8(ip[9]!, 36);
    bytes.writeUInt8(events[record.event], 37);
    bytes.writeUInt8(record.reason === undefined ? 0 : dropReasons.indexOf(record.reason) + 1, 38);
    bytes.writeUInt32LE(record.lengthBytes, 40);
    bytes.writeUInt32LE(record.queuePackets, 44);
    bytes.writeUInt32LE(record.queueBytes, 48);
    bytes.writeUInt8(ip[1]!, 55);
    transport.copy(bytes, 56, 4, 12);
    this.#records++;
    if (++this.#waiting === chunkRecords) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#file.write(this.#chunk, 0, this.#waiting * recordBytes);
    this.#waiting = 0;
  }

  /** Completes the file. Returns the number of its records. */
  async close(): Promise<number> {
    try {
      await this.#flush();
    } finally {
      await this.#file.close();
    }
    return this.#records;
  }
}
