/**
 * Reads packets.jsonl into columns. Ten minutes at 50 Mbit/s are three million lines, which would take a gigabyte of
 * memory as objects.
 *
 * Lines in the form in which JSON.stringify writes a flat object are parsed from bytes, without conversion to text. All
 * other lines are parsed by JSON.parse.
 */
import type { FileHandle } from 'node:fs/promises';
import { systemCode } from '../../core/errors.ts';
import { brokenLine, mostLineBytes } from '../../core/system/jsonl.ts';
import { openRegularHandle } from '../../core/system/regular-file.ts';
import { withoutMark } from '../../core/system/text-encoding.ts';
import { kindPlace, type PacketKind, packetKinds } from '../../core/vocabulary/packet-kind.ts';
import type { PacketLine } from './series/packets.ts';

/**
 * Packets as columns: element i of each column belongs to packet i, in the order of sending. NaN: the value is null or
 * missing in the record.
 */
export type PacketTable = {
  length: number;
  /** Kind of the packet, as an index in `packetKinds`. */
  kind: Uint8Array;
  rtpSequence: Uint16Array;
  rtpTimestamp: Uint32Array;
  /** Number of the frame that the packet belongs to; -1 for packets that carry no media. */
  frame: Int32Array;
  bytes: Uint16Array;
  sentMs: Float64Array;
  /** Arrival time by the browser's clock, whose origin differs from that of the other times. */
  receivedMs: Float64Array;
  feedbackMs: Float64Array;
};

const columns = [
  'kind',
  'rtpSequence',
  'rtpTimestamp',
  'frame',
  'bytes',
  'sentMs',
  'receivedMs',
  'feedbackMs',
] as const;

const chunkBytes = 8 << 20;
/** Usual length of a line in packets.jsonl, bytes. The first size of the columns is computed from it. */
const usualLineBytes = 200;
const byte = {
  newline: 10,
  quote: 34,
  comma: 44,
  minus: 45,
  point: 46,
  zero: 48,
  colon: 58,
  n: 110,
  closing: 125,
} as const;

function emptyTable(capacity: number): PacketTable {
  return {
    length: 0,
    kind: new Uint8Array(capacity),
    rtpSequence: new Uint16Array(capacity),
    rtpTimestamp: new Uint32Array(capacity),
    frame: new Int32Array(capacity),
    bytes: new Uint16Array(capacity),
    sentMs: new Float64Array(capacity),
    receivedMs: new Float64Array(capacity),
    feedbackMs: new Float64Array(capacity),
  };
}

/** Returns a table with the same rows and room for half as many more. */
function grown(table: PacketTable): PacketTable {
  const larger = emptyTable(Math.ceil(table.kind.length * 1.5) + 64);
  larger.length = table.length;
  for (const column of columns) larger[column].set(table[column]);
  return larger;
}

/** Returns the table with its columns cut to the rows in use. */
function trimmed({
  length,
  kind,
  rtpSequence,
  rtpTimestamp,
  frame,
  bytes,
  sentMs,
  receivedMs,
  feedbackMs,
}: PacketTable): PacketTable {
  const cut = <T extends { subarray(from: number, to: number): T }>(column: T) => column.subarray(0, length);
  return {
    length,
    kind: cut(kind),
    rtpSequence: cut(rtpSequence),
    rtpTimestamp: cut(rtpTimestamp),
    frame: cut(frame),
    bytes: cut(bytes),
    sentMs: cut(sentMs),
    receivedMs: cut(receivedMs),
    feedbackMs: cut(feedbackMs),
  };
}

function beginRow(table: PacketTable, row: number): void {
  table.frame[row] = -1;
  table.sentMs[row] = table.receivedMs[row] = table.feedbackMs[row] = NaN;
}

/**
 * Sets a number of the packet in `row`. `length` and `first`: length and first letter of the number's key, which
 * suffice to identify the key.
 */
function setNumber(table: PacketTable, row: number, length: number, first: number, value: number): void {
  if (length === 6) table.sentMs[row] = value;
  else if (length === 10)
    (first === 114 ? table.receivedMs : table.feedbackMs)[row] = value; // 114 is "r"
  else if (length === 11) table.rtpSequence[row] = value;
  else if (length === 12 && first === 114) table.rtpTimestamp[row] = value;
  else if (length === 5 && first === 102)
    table.frame[row] = value; // 102 is "f"
  else if (length === 5 && first === 98) table.bytes[row] = value; // 98 is "b"
}

/**
 * Parses the line in [start, end) of `bytes` into a row of the table. Returns false if the line is not in the form that
 * JSON.stringify writes.
 */
function readPlain(bytes: Buffer, start: number, end: number, table: PacketTable, row: number): boolean {
  let at = start + 1;
  for (;;) {
    if (bytes[at] !== byte.quote) return false;
    const first = bytes[at + 1]!;
    let close = at + 2;
    while (close < end && bytes[close] !== byte.quote) close++;
    const length = close - at - 1;
    at = close + 1;
    if (bytes[at++] !== byte.colon) return false;
    if (bytes[at] === byte.quote) {
      const [letter, second] = [bytes[at + 1], bytes[at + 2]];
      at += 2;
      while (at < end && bytes[at] !== byte.quote) at++;
      at++;
      if (length === 4)
        table.kind[row] =
          letter === 109
            ? kindPlace.media
            : letter === 114
              ? kindPlace.retransmission
              : letter === 118
                ? kindPlace.voice
                : second === 97
                  ? kindPlace.padding
                  : kindPlace.protection; // the kinds begin with "m", "r", "v", "pa" and "pr"
    } else if (bytes[at] === byte.n) at += 4;
    else {
      const negative = bytes[at] === byte.minus;
      if (negative) at++;
      let value = 0;
      for (let digit = bytes[at]! - byte.zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - byte.zero)
        value = value * 10 + digit;
      if (bytes[at] === byte.point) {
        let [fraction, scale] = [0, 1];
        for (let digit = bytes[++at]! - byte.zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - byte.zero) {
          fraction = fraction * 10 + digit;
          scale *= 10;
        }
        value += fraction / scale;
      }
      setNumber(table, row, length, first, negative ? -value : value);
    }
    if (bytes[at] === byte.closing) return at + 1 === end;
    if (bytes[at++] !== byte.comma || at >= end) return false;
  }
}

function setParsed(table: PacketTable, row: number, line: PacketLine): void {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) throw new TypeError('it is no object');
  beginRow(table, row);
  table.kind[row] = Math.max(0, packetKinds.indexOf(line.kind as PacketKind));
  for (const [key, value] of Object.entries(line))
    if (typeof value === 'number') setNumber(table, row, key.length, key.charCodeAt(0), value);
}

class Reader {
  readonly #path: string;
  readonly #sizeBytes: number;
  #table: PacketTable;

  constructor(path: string, sizeBytes: number) {
    this.#path = path;
    this.#sizeBytes = sizeBytes;
    this.#table = emptyTable(Math.ceil(sizeBytes / usualLineBytes));
  }

  async read(file: FileHandle): Promise<PacketTable> {
    let chunk = Buffer.allocUnsafe(Math.min(chunkBytes, this.#sizeBytes + 1));
    let kept = 0;
    for (;;) {
      // no line of a record is this long; without the limit, a file without newlines would fill the memory
      if (kept > mostLineBytes) throw brokenLine(this.#path, this.#table.length + 1);
      if (kept === chunk.length) chunk = Buffer.concat([chunk, Buffer.allocUnsafe(chunk.length)]);
      const { bytesRead } = await file.read(chunk, kept, chunk.length - kept);
      const filled = chunk.subarray(0, kept + bytesRead);
      const rest = this.#takeLines(filled);
      if (bytesRead === 0) {
        if (rest < filled.length) this.#take(filled, rest, filled.length);
        return trimmed(this.#table);
      }
      kept = filled.copy(chunk, 0, rest);
    }
  }

  /** Parses all complete lines in `bytes`. Returns the offset of the incomplete line behind them. */
  #takeLines(bytes: Buffer): number {
    let start = 0;
    for (let end = bytes.indexOf(byte.newline, start); end >= 0; end = bytes.indexOf(byte.newline, start)) {
      if (end > start) this.#take(bytes, start, end);
      start = end + 1;
    }
    return start;
  }

  #take(bytes: Buffer, start: number, end: number): void {
    if (this.#table.length === this.#table.kind.length) this.#table = grown(this.#table);
    const table = this.#table;
    const row = table.length;
    beginRow(table, row);
    if (!readPlain(bytes, start, end, table, row)) {
      try {
        const line = bytes.toString('utf8', start, end);
        setParsed(table, row, JSON.parse(row === 0 ? withoutMark(line) : line) as PacketLine);
      } catch (error) {
        throw brokenLine(this.#path, row + 1, error);
      }
    }
    table.length++;
  }
}

/**
 * Reads packets.jsonl. Returns an empty table if the file does not exist. Throws an error that names the line if a line
 * cannot be parsed.
 */
export async function readPacketTable(path: string): Promise<PacketTable> {
  let file: FileHandle;
  let sizeBytes: number;
  try {
    ({ file, sizeBytes } = await openRegularHandle(path));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return emptyTable(0);
    throw error;
  }
  try {
    return await new Reader(path, sizeBytes).read(file);
  } finally {
    await file.close();
  }
}
