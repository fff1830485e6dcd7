/** Port of the sender: a secured connection to a receiver. */

/** Parameters of the streams that both sides agreed on. */
export type StreamParameters = {
  ssrc: number;
  rtxSsrc: number;
  payloadType: number;
  /** Undefined if the browser does not take retransmissions. */
  rtxPayloadType: number | undefined;
  /** Stream of the error correction; undefined without error correction. */
  protection: { ssrc: number; payloadType: number } | undefined;
  mid: string;
  /** Ids of the header extensions by URI. */
  extensions: ReadonlyMap<string, number>;
};

export type RtpFields = {
  ssrc: number;
  payloadType: number;
  sequence: number;
  timestamp: number;
  marker: boolean;
  extensions: { id: number; payload: Buffer }[];
  /** True if the payload ends in padding whose last byte is its length (RFC 3550, 5.1). */
  padding?: boolean;
};

/**
 * Bytes that RTP, extensions, SRTP, UDP and IP add to a payload. An estimate for the pacer; `sendRtp` returns the real
 * size.
 */
export const overheadBytes = 80;

export interface MediaConnection {
  readonly stream: StreamParameters;
  /** Called with every RTCP packet that arrives, decrypted. */
  onRtcp: (bytes: Buffer) => void;
  /** Sends one packet; returns its size on the wire including the IP header, 0 if the connection is closed. */
  sendRtp(fields: RtpFields, payload: Buffer): number;
  sendRtcp(bytes: Buffer): void;
}
