/**
 * Reader of a queue log (shaper/native/queue-log.h). A log has the events of every packet at a link's queues, and was
 * written by the kernel's log, by the emulator, or from captures around the queues. Records are read one after another;
 * they are never all held in memory.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import { type DropReason, dropReasons } from '../../core/vocabulary/drop-reason.ts';

export const magic = Buffer.from('CXQLOG1\0', 'latin1');
export const headerBytes = 64;
export const recordBytes = 64;
const chunkBytes = 16_384 * recordBytes;

type QueueEvent = 'enqueue' | 'dequeue' | 'drop' | 'mark';

/** Direction of a queue: `down` on the path to the clients, `up` on the return path. */
type QueueDirection = 'down' | 'up';

const directions: readonly QueueDirection[] = ['down', 'up'];
const sources = [undefined, 'kernel', 'emulator', 'capture'] as const;
export type QueueLogSource = NonNullable<(typeof sources)[number]>;
export const sourceNumber = (source: QueueLogSource) => sources.indexOf(source);

const events = [undefined, 'enqueue', 'dequeue', 'drop', 'mark'] as const;

type QueueLogHeader = {
  source: QueueLogSource;
  /** Offset of the wall clock when the log began: Unix time in ms = `timeNs` / 1e6 + `unixOffsetMs`. */
  unixOffsetMs: number;
  /** True if the records have the type of service. */
  hasService: boolean;
};

export type QueueRecord = {
  /** Time of the event on the machine's monotonic clock. */
  timeNs: number;
  /** Number of the packet; all records of a packet have the same number. */
  packet: number;
  event: QueueEvent;
  direction: QueueDirection;
  /** Reason of a drop; undefined for other events. */
  reason: DropReason | undefined;
  /**
   * The kernel's number of the reason of a drop, which differs between kernels, with the number of its subsystem in the
   * bits from 16 on; 0 for other events.
   */
  reasonCode: number;
  /**
   * Type of service in the IP header: the DSCP and, in the last two bits, the ECN field. A mark has the one before the
   * mark. Undefined in logs of older versions.
   */
  service: number | undefined;
  /** Time that the packet spent in the queue, for a dequeue and for a drop from the queue; 0 for other events. */
  sojournNs: number;
  /**
   * IPv4 address of the sender as a number, 10.0.1.2 = 0x0a000102; 0 if the packet is not IPv4. `destination` has the
   * same form.
   */
  source: number;
  destination: number;
  /** Port of the sender; 0 if the protocol has no ports. */
  sourcePort: number;
  destinationPort: number;
  /** IP protocol number: 1 ICMP, 6 TCP, 17 UDP. */
  protocol: number;
  /** Length of the packet as the queue counts it; the kernel includes the Ethernet header. */
  lengthBytes: number;
  /** Number of packets, and of bytes, in the queue after the event. */
  queuePackets: number;
  queueBytes: number;
  /**
   * Bytes 4 to 7 of the transport header. TCP: sequence number; UDP: length and checksum; ICMP echo: identifier and
   * sequence number.
   */
  transportFirst: number;
  /**
   * Bytes 8 to 11 after the start of the transport header. TCP: acknowledgement number; UDP: first bytes of the
   * payload, for RTP up to the sequence number.
   */
  transportSecond: number;
};

/** Converts an IPv4 address such as "10.0.1.2" to the number that records contain. */
export function addressNumber(text: string): number {
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function refused(name: string, why: string): CoexistError {
  return new CoexistError('bad-run-folder', `${name} is no queue log that can be read: ${why}`);
}

/** Reads a number of 64 bits. From 2^53 on it is rounded; times in ns reach that after 104 days. */
function readU64(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + 4) * 2 ** 32 + bytes.readUInt32LE(offset);
}

function readHeader(bytes: Buffer, name: string): QueueLogHeader {
  if (bytes.length < headerBytes)
    throw refused(name, `it has ${bytes.length} bytes, and the header alone ${headerBytes}`);
  if (!bytes.subarray(0, magic.length).equals(magic)) throw refused(name, 'it does not begin as one');
  if (bytes.readUInt32LE(8) !== recordBytes)
    throw refused(name, `its records have ${bytes.readUInt32LE(8)} bytes, not ${recordBytes}`);
  const source = sources[bytes.readUInt32LE(12)];
  if (source === undefined) throw refused(name, `its source is ${bytes.readUInt32LE(12)}`);
  // subtracted before rounding, because ns since 1970 are not exact as a number
  const unixOffsetMs = Number(bytes.readBigUInt64LE(24) - bytes.readBigUInt64LE(16)) / 1e6;
  return { source, unixOffsetMs, hasService: bytes.readUInt32LE(32) === 1 };
}

function readRecord(
  bytes: Buffer,
  offset: number,
  index: number,
  name: string,
  { hasService }: QueueLogHeader,
): QueueRecord {
  const event = events[bytes.readUInt8(offset + 37)];
  const reasonNumber = bytes.readUInt8(offset + 38);
  const reason = dropReasons[reasonNumber - 1];
  if (event === undefined || (event === 'drop' ? reason === undefined : reasonNumber !== 0)) {
    throw refused(name, `record ${index} has event ${bytes.readUInt8(offset + 37)} with reason ${reasonNumber}`);
  }
  const direction = directions[bytes.readUInt8(offset + 39)];
  if (direction === undefined) throw refused(name, `record ${index} has direction ${bytes.readUInt8(offset + 39)}`);
  return {
    direction,
    timeNs: readU64(bytes, offset),
    packet: readU64(bytes, offset + 8),
    event,
    reason,
    reasonCode: bytes.readUIntLE(offset + 52, 3),
    service: hasService ? bytes.readUInt8(offset + 55) : undefined,
    sojournNs: readU64(bytes, offset + 16),
    source: bytes.readUInt32BE(offset + 24),
    destination: bytes.readUInt32BE(offset + 28),
    sourcePort: bytes.readUInt16BE(offset + 32),
    destinationPort: bytes.readUInt16BE(offset + 34),
    protocol: bytes.readUInt8(offset + 36),
    lengthBytes: bytes.readUInt32LE(offset + 40),
    queuePackets: bytes.readUInt32LE(offset + 44),
    queueBytes: bytes.readUInt32LE(offset + 48),
    transportFirst: bytes.readUInt32BE(offset + 56),
    transportSecond: bytes.readUInt32BE(offset + 60),
  };
}

/** Fills `into` from `position` of a file; less at the file's end. Returns the number of bytes read. */
function readFully(file: number, into: Buffer, position: number): number {
  let filled = 0;
  for (;;) {
    const got = readSync(file, into, filled, into.length - filled, position + filled);
    filled += got;
    if (got === 0 || filled === into.length) return filled;
  }
}

/** Yields the contents of a file behind the header, in pieces. */
function* chunksOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let position = headerBytes; ; position += chunkBytes) {
      const filled = readFully(file, chunk, position);
      yield chunk.subarray(0, filled);
      if (filled < chunkBytes) return;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * A queue log: a header, and the records of one queue, by default the queue of the path to the clients. The records can
 * be iterated more than once. An incomplete last record is ignored. An invalid record throws a CoexistError when the
 * iteration reaches it.
 */
export class QueueLog implements Iterable<QueueRecord> {
  readonly header: QueueLogHeader;
  readonly #name: string;
  readonly #chunks: () => Iterable<Buffer>;
  readonly #direction: QueueDirection;

  private constructor(name: string, header: QueueLogHeader, chunks: () => Iterable<Buffer>, direction: QueueDirection) {
    this.header = header;
    this.#name = name;
    this.#chunks = chunks;
    this.#direction = direction;
  }

  /** Returns the log with the records of the queue of `direction`. */
  of(direction: QueueDirection): QueueLog {
    return new QueueLog(this.#name, this.header, this.#chunks, direction);
  }

  /**
   * Returns the log in `bytes`. Throws `bad-run-folder` if `bytes` do not begin as a queue log. `name`: for messages.
   */
  static fromBytes(bytes: Buffer, name = 'it'): QueueLog {
    return new QueueLog(name, readHeader(bytes, name), () => [bytes.subarray(headerBytes)], 'down');
  }

  /** Returns the log in a file, which may still grow. Throws Node's error if the file is missing. */
  static fromFile(path: string): QueueLog {
    const start = Buffer.alloc(headerBytes);
    const file = openSync(path, 'r');
    try {
      return new QueueLog(
        path,
        readHeader(start.subarray(0, readFully(file, start, 0)), path),
        () => chunksOf(path),
        'down',
      );
    } finally {
      closeSync(file);
    }
  }

  *[Symbol.iterator](): Generator<QueueRecord> {
    let index = 0;
    for (const chunk of this.#chunks()) {
      for (let offset = 0; offset + recordBytes <= chunk.length; offset += recordBytes) {
        const record = readRecord(chunk, offset, index++, this.#name, this.header);
        if (record.direction === this.#direction) yield record;
      }
    }
  }
}
