/**
 * Connection to one browser. Only ICE, DTLS, SRTP and SDP of werift are used.
 *
 * werift's RTCP handling, retransmission and bandwidth estimation are bypassed. This file takes decrypted RTCP from the
 * SRTCP session before werift parses it, and sends RTP with its own headers through the SRTP session.
 */
import { randomInt } from 'node:crypto';
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
import { askNoStunServer, offerGcmOnly, takeLateConsent, takeRtcp, useKeyObject } from './werift-internals.ts';

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
      const transceiver = this.#transceiver!;
      takeRtcp(transceiver, bytes => this.onRtcp(bytes));
      useKeyObject(transceiver);
      this.#endConsent = takeLateConsent(transceiver);
      this.onConnected();
    } else if (!this.#closed && (state === 'failed' || state === 'disconnected' || state === 'closed')) {
      this.onClosed(state);
    }
  }
}
