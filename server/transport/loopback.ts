/**
 * A connection without a receiver: packets are encrypted as for a browser, then dropped, and feedback reports all of
 * them as received. The rehearsal of the sender uses this connection before a browser connects.
 */
import { randomBytes } from 'node:crypto';
import { SrtpSession } from 'werift';
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import { extensionUri } from '../rtp/header-extensions.ts';
import type { MediaConnection, RtpFields, StreamParameters } from './connection.ts';
import { rtpHeader } from './rtp-header.ts';
import { aeadAes128Gcm } from './srtp-profile.ts';

const keyBytes = 16;
const saltBytes = 12;
/** Number of packets per feedback message. At a few Mbit/s this gives the interval of Chromium's feedback. */
const packetsPerReport = 30;
const arrivalStepUs = 500;

export class Loopback implements MediaConnection {
  onRtcp: (bytes: Buffer) => void = () => {};
  readonly stream: StreamParameters = {
    ssrc: 1,
    rtxSsrc: 2,
    payloadType: 108,
    rtxPayloadType: 109,
    protection: undefined,
    mid: '0',
    extensions: new Map(Object.values(extensionUri).map((uri, i) => [uri, i + 1])),
  };
  readonly voice = undefined;
  readonly #srtp = new SrtpSession({
    keys: {
      localMasterKey: randomBytes(keyBytes),
      localMasterSalt: randomBytes(saltBytes),
      remoteMasterKey: randomBytes(keyBytes),
      remoteMasterSalt: randomBytes(saltBytes),
    },
    profile: aeadAes128Gcm,
  });
  #packets = 0;

  sendRtp(fields: RtpFields, payload: Buffer): number {
    const packet = this.#srtp.encrypt(payload, rtpHeader(fields));
    if (++this.#packets % packetsPerReport === 0) {
      const report = transportFeedback(
        this.#packets - packetsPerReport,
        packetsPerReport,
        this.#packets * arrivalStepUs,
      );
      setImmediate(() => this.onRtcp(report));
    }
    return packet.length + udpHeadersBytes;
  }

  sendRtcp(): void {}
}

/**
 * Returns a transport-wide feedback message that reports `count` packets from `base` on as received
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01, 3.1).
 */
function transportFeedback(base: number, count: number, timeUs: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil((12 + 8 + 2 + count) / 4) * 4);
  bytes.writeUInt16BE(0x8fcd, 0);
  bytes.writeUInt16BE(bytes.length / 4 - 1, 2);
  bytes.writeUInt32BE(1, 8);
  bytes.writeUInt16BE(base & 0xffff, 12);
  bytes.writeUInt16BE(count, 14);
  bytes.writeIntBE(Math.floor(timeUs / 64_000), 16, 3);
  bytes.writeUInt16BE((1 << 13) | count, 20);
  bytes.fill(arrivalStepUs / 250, 22, 22 + count);
  bytes.writeUInt8((timeUs % 64_000) / 250, 22); // the first delta is relative to the reference time
  return bytes;
}
