/**
 * Connection to one browser. Only ICE, DTLS, SRTP and SDP of werift are used.
 *
 * werift's RTCP handling, retransmission and bandwidth estimation are bypassed. This file takes decrypted RTCP from the
 * SRTCP session before werift parses it, and sends RTP with its own headers through the SRTP session. No other file
 * uses werift's private fields.
 */
import { createSecretKey, type KeyObject, randomInt } from 'node:crypto';
import {
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RTCRtpHeaderExtensionParameters,
  type RTCRtpTransceiver,
} from 'werift';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { within } from '../../core/system/deadline.ts';
import type { FeedbackFormat } from '../../core/vocabulary/feedback-format.ts';
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import { extensionUri } from '../rtp/header-extensions.ts';
import type { MediaConnection, RtpFields, StreamParameters } from './connection.ts';
import { answerFor, chooseFeedback, offerFor } from './feedback-format.ts';
import { checkOffer, withoutHiddenCandidates } from './offer.ts';
import { offersProtection, protectionCodec, withProtection } from './protection.ts';
import { rtpHeader } from './rtp-header.ts';
import { aeadAes128Gcm } from './srtp-profile.ts';

/**
 * H.264 parameters in SDP: constrained baseline, level 3.1, packetization mode 1. Every Chromium with H.264 accepts
 * them.
 */
const h264Parameters = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
const feedbackKinds = [
  { type: 'transport-cc' },
  { type: 'nack' },
  { type: 'nack', parameter: 'pli' },
  { type: 'ccm', parameter: 'fir' },
];

/**
 * Makes werift offer GCM only, which every browser with WebRTC has. Otherwise werift also offers AES-CM, which Chromium
 * prefers. The profiles are a private field without a public setter.
 */
function offerGcmOnly({ dtlsTransport }: RTCRtpTransceiver): void {
  (dtlsTransport as unknown as { srtpProfiles: number[] }).srtpProfiles = [aeadAes128Gcm];
}

/**
 * Removes werift's default STUN server. Without a configured STUN server, werift asks Google's server and waits for the
 * answer, up to 5 s on a machine without Internet.
 */
export function askNoStunServer({ dtlsTransport }: RTCRtpTransceiver): void {
  Object.assign(dtlsTransport.iceTransport.connection, { stunServer: undefined });
}

/**
 * Replaces the session keys in werift by key objects, which makes encryption faster. werift keeps a key as a buffer,
 * and Node finds out for each packet, by an exception with a stack trace, that a buffer is no key object: 28 to 36 us
 * per packet of 1200 bytes, against 10 to 13 us with a key object (Node 24.21).
 */
function useKeyObjects({ srtp }: RTCRtpTransceiver['dtlsTransport']): void {
  const { cipher } = (srtp as unknown as { localContext: { cipher: { srtpSessionKey: Buffer | KeyObject } } })
    .localContext;
  if (Buffer.isBuffer(cipher.srtpSessionKey)) cipher.srtpSessionKey = createSecretKey(cipher.srtpSessionKey);
}

/**
 * Round trip that werift reads in its consent checks, s. An answer counts for twice this value plus 200 ms, which is 30
 * s (RFC 7675, section 5.1).
 */
const longestRttS = 14.9;

/**
 * Makes werift accept late answers to consent checks (RFC 7675). Returns a function that aborts the pending checks.
 *
 * werift accepts an answer only within twice the last round trip plus 200 ms, at least 500 ms, and only until the next
 * check 4 to 6 s later. If a queue quickly grows beyond this time, every answer is too late, and werift stops sending
 * media after 30 s. The RFC accepts every answer within 30 s. Therefore werift reads a long round trip here, and a new
 * check does not abort the previous one.
 */
function takeLateConsent({ dtlsTransport }: RTCRtpTransceiver): () => void {
  const { connection } = dtlsTransport.iceTransport;
  const checks = new Set<AbortController>();
  Object.defineProperty(connection.nominated!, 'rtt', { get: () => longestRttS, set: () => {} });
  Object.defineProperty(connection, 'consentRequestAbort', {
    get: () => undefined,
    set: (check: AbortController | undefined) => {
      if (check !== undefined) checks.add(check);
    },
  });
  return () => {
    for (const check of checks) check.abort();
  };
}

/** Returns the ports of the candidates in an SDP (RFC 8839, section 5.1). */
const candidatePorts = (sdp: string) =>
  [...sdp.matchAll(/^a=candidate:\S+ \d+ \S+ \d+ \S+ (\d+) /gm)].map(([, port]) => Number(port));

export class Peer implements MediaConnection {
  onConnected: () => void = () => {};
  onClosed: (state: string) => void = () => {};
  onRtcp: (bytes: Buffer) => void = () => {};
  /** Feedback format that browser and server have agreed on. */
  readonly feedback: FeedbackFormat;
  readonly #connection: RTCPeerConnection;
  readonly #protectionSsrc = randomInt(1, 2 ** 32);
  #transceiver: RTCRtpTransceiver | undefined;
  #endConsent: () => void = () => {};
  #closed = false;

  private constructor(connection: RTCPeerConnection, feedback: FeedbackFormat) {
    this.#connection = connection;
    this.feedback = feedback;
  }

  /**
   * Answers a browser's offer to receive one video stream. `feedback`: wanted feedback format. `isProtected`: true if
   * error correction is wanted. `port`: UDP port of the media; any port if undefined. `ownAddress`: the only address of
   * this host that the answer contains. Throws `usage` with the reason for an invalid offer, `port-taken` if another
   * program uses the port.
   */
  static async answer(
    offerSdp: string,
    extraHostAddresses: string[] = [],
    feedback: FeedbackFormat = 'transport-cc',
    isProtected = false,
    port?: number,
    ownAddress?: string,
  ): Promise<{ peer: Peer; answerSdp: string }> {
    checkOffer(offerSdp);
    const format = chooseFeedback(offerSdp, feedback);
    if (isProtected && !offersProtection(offerSdp)) {
      throw new CoexistError('usage', 'the browser offers no FlexFEC', {
        hint: 'Chromium does with --force-fieldtrials=WebRTC-FlexFEC-03-Advertised/Enabled/',
      });
    }
    const connection = new RTCPeerConnection({
      iceServers: [],
      iceUseIpv6: false,
      iceUseTcp: false,
      bundlePolicy: 'max-bundle',
      // werift accepts only a range of ports, so the port in the answer is checked below
      ...(port === undefined ? {} : { icePortRange: [port, port + 1] as [number, number] }),
      ...(ownAddress === undefined ? {} : { iceInterfaceAddresses: { udp4: ownAddress } }),
      ...(extraHostAddresses.length === 0 ? {} : { iceAdditionalHostAddresses: extraHostAddresses }),
      codecs: {
        video: [
          new RTCRtpCodecParameters({
            mimeType: 'video/H264',
            clockRate: 90000,
            rtcpFeedback: feedbackKinds,
            parameters: h264Parameters,
          }),
          new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90000, rtcpFeedback: [] }),
          ...(isProtected
            ? [new RTCRtpCodecParameters({ mimeType: protectionCodec, clockRate: 90000, rtcpFeedback: [] })]
            : []),
        ],
        audio: [],
      },
      headerExtensions: {
        video: Object.values(extensionUri).map(uri => new RTCRtpHeaderExtensionParameters({ uri })),
        audio: [],
      },
    });
    const peer = new Peer(connection, format);
    try {
      await within(
        connection.setRemoteDescription({ type: 'offer', sdp: offerFor(format, withoutHiddenCandidates(offerSdp)) }),
        5000,
        'the offer to be read',
      );
      const transceiver = connection.getTransceivers().find(t => t.kind === 'video');
      if (transceiver === undefined) throw new CoexistError('usage', 'the offer has no video section');
      transceiver.setDirection('sendonly');
      peer.#transceiver = transceiver;
      offerGcmOnly(transceiver);
      askNoStunServer(transceiver);
      connection.connectionStateChange.subscribe(state => peer.#stateChanged(state));
      await within(connection.setLocalDescription(await connection.createAnswer()), 5000, 'candidates of our own');
      const answerSdp = connection.localDescription?.sdp;
      if (answerSdp === undefined || transceiver.sender.codec?.parameters?.includes('packetization-mode=1') !== true)
        throw new CoexistError('usage', 'the offer has no H.264 in packetization mode 1');
      if (port !== undefined && candidatePorts(answerSdp).some(own => own !== port))
        throw new CoexistError('port-taken', `the UDP port ${port} of the media server's host is taken`);
      const { ssrc, protection } = peer.stream;
      const answered = answerFor(format, offerSdp, answerSdp);
      return { peer, answerSdp: protection === undefined ? answered : withProtection(answered, ssrc, protection.ssrc) };
    } catch (error) {
      await peer.close();
      throw error instanceof CoexistError
        ? error
        : new CoexistError('usage', `the offer was refused: ${messageOf(error)}`, { cause: error });
    }
  }

  get stream(): StreamParameters {
    const { sender, codecs, headerExtensions, mid } = this.#transceiver!;
    const payloadType = sender.codec!.payloadType;
    const protection = codecs.find(codec => codec.mimeType.toLowerCase() === protectionCodec);
    const rtx = codecs.find(
      codec => codec.mimeType.toLowerCase() === 'video/rtx' && codec.parameters === `apt=${payloadType}`,
    );
    return {
      ssrc: sender.ssrc,
      rtxSsrc: sender.rtxSsrc,
      payloadType,
      rtxPayloadType: rtx?.payloadType,
      mid: mid ?? '0',
      protection:
        protection === undefined ? undefined : { ssrc: this.#protectionSsrc, payloadType: protection.payloadType },
      // One-byte extension headers allow only ids 1 to 14 (RFC 8285, 4.2).
      extensions: new Map(headerExtensions.filter(({ id }) => id >= 1 && id <= 14).map(({ uri, id }) => [uri, id])),
    };
  }

  /**
   * Encrypts and sends one packet; returns its size on the wire including the IP header, 0 if the connection is closed.
   * If the socket reports an error, the packet counts as lost in the network.
   */
  sendRtp(fields: RtpFields, payload: Buffer): number {
    const { srtp, iceTransport } = this.#transceiver!.dtlsTransport;
    if (this.#closed || srtp === undefined) return 0;
    const packet = srtp.encrypt(payload, rtpHeader(fields));
    iceTransport.connection.send(packet).catch(() => {});
    return packet.length + udpHeadersBytes;
  }

  sendRtcp(bytes: Buffer): void {
    const { srtcp, iceTransport } = this.#transceiver!.dtlsTransport;
    if (this.#closed || srtcp === undefined) return;
    iceTransport.connection.send(srtcp.encrypt(bytes)).catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#endConsent();
    await within(this.#connection.close(), 2000, 'the connection to close').catch(() => {});
  }

  #stateChanged(state: string): void {
    if (state === 'connected') {
      this.#takeRtcp();
      useKeyObjects(this.#transceiver!.dtlsTransport);
      this.#endConsent = takeLateConsent(this.#transceiver!);
      this.onConnected();
    } else if (!this.#closed && (state === 'failed' || state === 'disconnected' || state === 'closed')) {
      this.onClosed(state);
    }
  }

  /**
   * Passes every decrypted RTCP packet to `onRtcp`, and an empty packet to werift. Errors of `onRtcp` are thrown again
   * in a microtask, because werift would swallow them.
   */
  #takeRtcp(): void {
    const { srtcp } = this.#transceiver!.dtlsTransport;
    const decrypt = srtcp.decrypt;
    srtcp.decrypt = bytes => {
      const plain = decrypt(bytes);
      try {
        this.onRtcp(plain);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
      return Buffer.alloc(0);
    };
  }
}
