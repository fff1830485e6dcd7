/**
 * The connection to one browser: ICE, DTLS, SRTP and SDP by werift, nothing else of it.
 *
 * werift's own RTCP handling, retransmission and bandwidth estimation are kept out: decrypted RTCP is
 * taken at the SRTCP session, before werift parses it, and RTP goes out through the SRTP session with
 * headers made here. This is the only file that knows werift's inside.
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
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import { extensionUri } from '../rtp/header-extensions.ts';
import type { MediaConnection, RtpFields, StreamParameters } from './connection.ts';
import { answerFor, chooseFeedback, type FeedbackFormat, offerFor } from './feedback-format.ts';
import { checkOffer, withoutHiddenCandidates } from './offer.ts';
import { offersProtection, protectionCodec, withProtection } from './protection.ts';
import { rtpHeader } from './rtp-header.ts';
import { aeadAes128Gcm } from './srtp-profile.ts';

/** Constrained baseline, level 3.1, packetization mode 1: what every Chromium with H.264 accepts. */
const h264Parameters = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
const feedbackKinds = [
  { type: 'transport-cc' },
  { type: 'nack' },
  { type: 'nack', parameter: 'pli' },
  { type: 'ccm', parameter: 'fir' },
];

/**
 * werift would offer AES-CM as well, and Chromium prefers it. Every browser with WebRTC has GCM.
 * The profiles are a private field; nothing public sets them.
 */
function offerGcmOnly({ dtlsTransport }: RTCRtpTransceiver): void {
  (dtlsTransport as unknown as { srtpProfiles: number[] }).srtpProfiles = [aeadAes128Gcm];
}

/**
 * Without a STUN server in its configuration werift asks Google's, and waits for the answer: up to 5 s where there is
 * no Internet.
 */
export function askNoStunServer({ dtlsTransport }: RTCRtpTransceiver): void {
  Object.assign(dtlsTransport.iceTransport.connection, { stunServer: undefined });
}

/**
 * werift keeps the keys of the session as buffers. For each packet Node then asks whether the buffer is a key object,
 * and finds out by an error with a stack trace: 28 to 36 us per packet of 1200 bytes against 10 to 13 us with a key
 * object (Node 24.21).
 */
function useKeyObjects({ srtp }: RTCRtpTransceiver['dtlsTransport']): void {
  const { cipher } = (srtp as unknown as { localContext: { cipher: { srtpSessionKey: Buffer | KeyObject } } })
    .localContext;
  if (Buffer.isBuffer(cipher.srtpSessionKey)) cipher.srtpSessionKey = createSecretKey(cipher.srtpSessionKey);
}

/** Twice that and 200 ms is how long an answer to a consent check counts: 30 s (RFC 7675, section 5.1). */
const longestRttS = 14.9;

/**
 * werift takes the answer to a consent check (RFC 7675) only within twice the last round trip and 200 ms, at least 500
 * ms, and only until the next check, 4 to 6 s later. Where a queue grows in a few seconds to a longer wait, every
 * answer is too late, and after 30 s werift sends no media any more. The RFC counts every answer within 30 s, so werift
 * is told of a long round trip, and it ends no check for the next one. Returns what ends those that are under way.
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

/** Ports of the candidates in a description (RFC 8839, section 5.1). */
const candidatePorts = (sdp: string) =>
  [...sdp.matchAll(/^a=candidate:\S+ \d+ \S+ \d+ \S+ (\d+) /gm)].map(([, port]) => Number(port));

export class Peer implements MediaConnection {
  onConnected: () => void = () => {};
  onClosed: (state: string) => void = () => {};
  onRtcp: (bytes: Buffer) => void = () => {};
  /** What the browser reports, as agreed on. */
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
   * Answers a browser's offer to receive one video stream, with the feedback that is wanted, and protected by error
   * correction where that is wanted. `port`: where it takes UDP; any where not said. `ownAddress`: the only one of this
   * host that is offered. Throws `usage` with the reason for an offer that is none, `port-taken` where somebody else has
   * the port.
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
      // werift takes ranges alone; the answer tells whether it is the one that was meant
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
      // one-byte headers take no others (RFC 8285, 4.2)
      extensions: new Map(headerExtensions.filter(({ id }) => id >= 1 && id <= 14).map(({ uri, id }) => [uri, id])),
    };
  }

  /**
   * Encrypts and sends one packet; returns its size on the wire from the IP header on, 0 when the connection is closed.
   * Errors of the socket are those of a network: the packet is lost.
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
   * From now on every decrypted RTCP packet comes here, and werift sees an empty one. What goes wrong with it is thrown
   * outside of werift, which would swallow it.
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
