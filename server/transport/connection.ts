/** A secured connection to a receiver, as the sending side sees it. */

/** What the two sides agreed on. */
export type StreamParameters = {
  ssrc: number;
  rtxSsrc: number;
  payloadType: number;
  /** Undefined where the browser does not take retransmissions. */
  rtxPayloadType: number | undefined;
  /** The stream of error correction; undefined where there is none. */
  protection: { ssrc: number; payloadType: number } | undefined;
  mid: string;
  /** Extension URI -> id. */
  extensions: ReadonlyMap<string, number>;
};

export type RtpFields = {
  ssrc: number;
  payloadType: number;
  sequence: number;
  timestamp: number;
  marker: boolean;
  extensions: { id: number; payload: Buffer }[];
  /** The payload ends in padding whose last byte counts it (RFC 3550, 5.1). */
  padding?: boolean;
};

/**
 * What RTP, its extensions, SRTP, UDP and IP add to a payload, bytes: an estimate for the pacer, the wire's size is
 * returned by `sendRtp`.
 */
export const overheadBytes = 80;

export interface MediaConnection {
  readonly stream: StreamParameters;
  /** Called with every RTCP packet that arrives, decrypted. */
  onRtcp: (bytes: Buffer) => void;
  /** Sends one packet; returns its size on the wire from the IP header on, 0 when the connection is closed. */
  sendRtp(fields: RtpFields, payload: Buffer): number;
  sendRtcp(bytes: Buffer): void;
}
