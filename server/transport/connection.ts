/** Port of the sender: interface of a secured connection to a receiver, and parameters of its streams. */

/** Parameters of the RTP streams that browser and server have agreed on. */
export type StreamParameters = {
  ssrc: number;
  rtxSsrc: number;
  payloadType: number;
  /** Payload type of retransmissions; undefined if the browser does not accept retransmissions. */
  rtxPayloadType: number | undefined;
  /** Stream of the error correction; undefined if no error correction is agreed on. */
  protection: { ssrc: number; payloadType: number } | undefined;
  mid: string;
  /** Ids of the agreed header extensions, by URI. */
  extensions: ReadonlyMap<string, number>;
};

/** Parameters of the RTP stream of the voice. */
export type VoiceParameters = {
  ssrc: number;
  /** Payload type of Opus. */
  payloadType: number;
  /** Payload type of redundant audio (RFC 2198); undefined if it is not agreed on. */
  redPayloadType: number | undefined;
  mid: string;
  extensions: ReadonlyMap<string, number>;
};

export type RtpFields = {
  ssrc: number;
  payloadType: number;
  sequence: number;
  timestamp: number;
  marker: boolean;
  extensions: { id: number; payload: Buffer }[];
  /** True if the payload ends in padding. The last byte of the padding is its length (RFC 3550, 5.1). */
  padding?: boolean;
};

/**
 * Estimated bytes that RTP, extensions, SRTP, UDP and IP add to a payload, for the pacer. `sendRtp` returns the exact
 * size.
 */
export const overheadBytes = 80;

export interface MediaConnection {
  readonly stream: StreamParameters;
  /** Stream of the voice; undefined if none is agreed on. */
  readonly voice: VoiceParameters | undefined;
  /** Called with every RTCP packet that arrives, after decryption. */
  onRtcp: (bytes: Buffer) => void;
  /**
   * Encrypts and sends one packet; returns its size on the wire including the IP header, 0 if the connection is closed.
   */
  sendRtp(fields: RtpFields, payload: Buffer): number;
  sendRtcp(bytes: Buffer): void;
}
