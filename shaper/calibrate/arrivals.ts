/**
 * What a receiver wrote down: one record of 32 bytes a datagram, little endian (struct probe_record of
 * shaper/native/probe/probe.h).
 */
import { CoexistError } from '../../core/errors.ts';

export type Arrival = {
  /** CLOCK_MONOTONIC, ms: just before the sender handed it to the kernel. */
  sentMs: number;
  /** CLOCK_MONOTONIC, ms: when the receiver's device had it. */
  receivedMs: number;
  /** 0, 1, ... of its flow. */
  sequence: number;
  /** UDP payload. */
  bytes: number;
  flow: number;
};

const recordBytes = 32;

/** Throws `probe-died` where the last record was cut off. */
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
