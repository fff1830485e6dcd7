/**
 * When Chromium took each RTP packet to be sent, by its own clock, which no log of its tells: send-times.c in front of
 * its libraries writes it down.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localHost } from '../../../core/system/local-host.ts';

const source = fileURLToPath(new URL('send-times.c', import.meta.url));

/** Reading of the clock, ns; what the wall clock is ahead, ns; the first bytes of the packet. */
const recordBytes = 28;
export const headerBytes = 12;

export type SendTime = {
  /** By libwebrtc's clock. */
  ownMs: number;
  /** What the wall clock is ahead of it. */
  aheadMs: number;
};

/** Builds the library in a folder; returns its path. */
export async function buildSendTimes(scratch: string): Promise<string> {
  const library = join(scratch, 'send-times.so');
  await localHost.run(['cc', '-O2', '-Wall', '-shared', '-fPIC', '-o', library, source], { timeoutMs: 30_000 });
  return library;
}

/** Environment of a browser that writes into `file`. */
export function sendTimesEnvironment(library: string, file: string): Record<string, string> {
  return { LD_PRELOAD: library, COEXIST_SEND_TIMES: file };
}

/** By the packet's first twelve bytes, in hex: sequence, time and source, which no two packets of a call share. */
export function readSendTimes(bytes: Buffer): Map<string, SendTime> {
  const times = new Map<string, SendTime>();
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    const header = bytes.toString('hex', at + 16, at + 16 + headerBytes);
    // libwebrtc reads its clock in whole us
    const ownMs = Number(bytes.readBigInt64LE(at) / 1000n) / 1000;
    if (!times.has(header)) times.set(header, { ownMs, aheadMs: Number(bytes.readBigInt64LE(at + 8)) / 1e6 });
  }
  return times;
}
