/**
 * Parser of a receiver's file. The file has one record of 32 bytes for each datagram, little-endian (struct
 * probe_record of shaper/native/probe/probe.h).
 */
import { CoexistError } from '../../core/errors.ts';

export type Arrival = {
  /** Time on CLOCK_MONOTONIC, ms, just before the sender passed the datagram to the kernel. */
  sentMs: number;
  /** Time on CLOCK_MONOTONIC, ms, at which the datagram arrived at the receiver's device. */
  receivedMs: number;
  /** Sequence number of the datagram in its flow: 0, 1, ... */
  sequence: number;
  /** Bytes of UDP payload. */
  bytes: number;
  flow: number;
};

const recordBytes = 32;

/** Parses the records. Throws `probe-died` if the last record is incomplete. */
export function parseArrivals(data: Buffer): Arrival[] {
  if (data.length % recordBytes !== 0)
    throw new CoexistError('probe-died', `the records of the probe were cut off after ${data.length} bytes`);
  const ms = (at: number) => Number(data.readBigUInt64LE(at)) / 1e6;
  return Array.from({ length: data.length / recordBytes }, (_, index) => {
    const at = index * recordBytes;
    return {
      sentMs: ms(at),
      receivedMs: ms(at + 8),
      sequence: data.readUInt32LE(at + 16),
      bytes: data.readUInt32LE(at + 20),
      flow: data.readUInt32LE(at + 24),
    };
  });
}
