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
import type { MediaConnection, RtpFields, StreamParameters, VoiceParameters } from './connection.ts';
import { answerFor, chooseFeedback, offerFor } from './feedback-format.ts';
import { withOneStream } from './media-stream.ts';
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

/** Kinds of media that an offer asks for, in the order of its sections. */
type OfferedMedia = readonly ('video' | 'audio')[];

export type AnswerOptions = {
  /** Further addresses of this host that the answer contains. */
  extraHostAddresses?: string[];
  /** Wanted feedback format. */
  feedback?: FeedbackFormat;
  /** True if error correction is wanted. */
  isProtected?: boolean;
  /** UDP port of the media; any port if undefined. */
  port?: number;
  /** The only address of this host that the answer contains. */
  ownAddress?: string;
  /** Media that the offer must ask for; one video stream by default. */
  media?: OfferedMedia;
  /** True if the browser shall play video and voice in sync. */
  inSync?: boolean;
};

/** Extensions of the voice: those of the video without the playout delay, which libwebrtc reads for video only. */
const voiceExtensions = [extensionUri.mid, extensionUri.absoluteSendTime, extensionUri.transportSequence];
const opusCodec = 'audio/opus';
const redCodec = 'audio/red';

/** Returns the ports of the candidates in an SDP (RFC 8839, section 5.1). */
const candidatePorts = (sdp: string) =>
  [...sdp.matchAll(/^a=candidate:\S+ \d+ \S+ \d+ \S+ (\d+) /gm)].map(([, port]) => Number(port));

/** Returns the ids of header extensions by URI. One-byte extension headers allow only ids 1 to 14 (RFC 8285, 4.2). */
const extensionIds = (extensions: readonly RTCRtpHeaderExtensionParameters[]) =>
  new Map(extensions.filter(({ id }) => id >= 1 && id <= 14).map(({ uri, id }) => [uri, id]));

export class Peer implements MediaConnection {
  onConnected: () => void = () => {};
  onClosed: (state: string) => void = () => {};
  onRtcp: (bytes: Buffer) => void = () => {};
  /** Feedback format that browser and server have agreed on. */
  readonly feedback: FeedbackFormat;
  readonly #connection: RTCPeerConnection;
  readonly #protectionSsrc = randomInt(1, 2 ** 32);
  #video: RTCRtpTransceiver | undefined;
  #voice: RTCRtpTransceiver | undefined;
  #endConsent: () => void = () => {};
  #closed = false;

  private constructor(connection: RTCPeerConnection, feedback: FeedbackFormat) {
    this.#connection = connection;
    this.feedback = feedback;
  }

  /**
   * Answers a browser's offer to receive a video stream, a voice, or both. Throws `usage` with the reason for an invalid
   * offer, `port-taken` if another program uses the port.
   */
  static async answer(
    offerSdp: string,
    {
      extraHostAddresses = [],
      feedback = 'transport-cc',
      isProtected = false,
      port,
      ownAddress,
      media = ['video'],
      inSync = false,
    }: AnswerOptions = {},
  ): Promise<{ peer: Peer; answerSdp: string }> {
    checkOffer(offerSdp, media);
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
        audio: [
          new RTCRtpCodecParameters({
            mimeType: opusCodec,
            clockRate: 48000,
            channels: 2,
            rtcpFeedback: feedbackKinds,
          }),
          new RTCRtpCodecParameters({ mimeType: redCodec, clockRate: 48000, channels: 2, rtcpFeedback: [] }),
        ],
      },
      headerExtensions: {
        video: Object.values(extensionUri).map(uri => new RTCRtpHeaderExtensionParameters({ uri })),
        audio: voiceExtensions.map(uri => new RTCRtpHeaderExtensionParameters({ uri })),
      },
    });
    const peer = new Peer(connection, format);
    try {
      await within(
        connection.setRemoteDescription({ type: 'offer', sdp: offerFor(format, withoutHiddenCandidates(offerSdp)) }),
        5000,
        'the offer to be read',
      );
      const transceivers = connection.getTransceivers();
      peer.#video = transceivers.find(({ kind }) => kind === 'video');
      peer.#voice = transceivers.find(({ kind }) => kind === 'audio');
      for (const transceiver of transceivers) transceiver.setDirection('sendonly');
      offerGcmOnly(peer.#bundle);
      askNoStunServer(peer.#bundle);
      connection.connectionStateChange.subscribe(state => peer.#stateChanged(state));
      await within(connection.setLocalDescription(await connection.createAnswer()), 5000, 'candidates of our own');
      const answerSdp = connection.localDescription?.sdp;
      if (answerSdp === undefined) throw new CoexistError('usage', 'the offer has no answer');
      if (peer.#video !== undefined && peer.#video.sender.codec?.parameters?.includes('packetization-mode=1') !== true)
        throw new CoexistError('usage', 'the offer has no H.264 in packetization mode 1');
      if (port !== undefined && candidatePorts(answerSdp).some(own => own !== port))
        throw new CoexistError('port-taken', `the UDP port ${port} of the media server's host is taken`);
      if (media.includes('audio') && peer.voice === undefined) throw new CoexistError('usage', 'the offer has no Opus');
      const common = answerFor(format, offerSdp, answerSdp);
      const answered = inSync ? withOneStream(common) : common;
      if (peer.#video === undefined) return { peer, answerSdp: answered };
      const { ssrc, protection } = peer.stream;
      return { peer, answerSdp: protection === undefined ? answered : withProtection(answered, ssrc, protection.ssrc) };
    } catch (error) {
      await peer.close();
      throw error instanceof CoexistError
        ? error
        : new CoexistError('usage', `the offer was refused: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Transceiver whose transport all streams use: the first of the bundle (RFC 9143, section 7.2). */
  get #bundle(): RTCRtpTransceiver {
    return (this.#video ?? this.#voice)!;
  }

  /** Parameters of the video; only for a peer that was asked for video. */
  get stream(): StreamParameters {
    const { sender, codecs, headerExtensions, mid } = this.#video!;
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
      extensions: extensionIds(headerExtensions),
    };
  }

  get voice(): VoiceParameters | undefined {
    if (this.#voice === undefined) return undefined;
    const { sender, codecs, headerExtensions, mid } = this.#voice;
    const of = (name: string) => codecs.find(({ mimeType }) => mimeType.toLowerCase() === name)?.payloadType;
    const payloadType = of(opusCodec);
    if (payloadType === undefined) return undefined;
    return {
      ssrc: sender.ssrc,
      payloadType,
      redPayloadType: of(redCodec),
      mid: mid ?? '0',
      extensions: extensionIds(headerExtensions),
    };
  }

  /**
   * Encrypts and sends one packet; returns its size on the wire including the IP header, 0 if the connection is closed.
   * If the socket reports an error, the packet counts as lost in the network.
   */
  sendRtp(fields: RtpFields, payload: Buffer): number {
    const { srtp, iceTransport } = this.#bundle.dtlsTransport;
    if (this.#closed || srtp === undefined) return 0;
    const packet = srtp.encrypt(payload, rtpHeader(fields));
    iceTransport.connection.send(packet).catch(() => {});
    return packet.length + udpHeadersBytes;
  }

  sendRtcp(bytes: Buffer): void {
    const { srtcp, iceTransport } = this.#bundle.dtlsTransport;
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
      const transceiver = this.#bundle;
      takeRtcp(transceiver, bytes => this.onRtcp(bytes));
      useKeyObject(transceiver);
      this.#endConsent = takeLateConsent(transceiver);
      this.onConnected();
    } else if (!this.#closed && (state === 'failed' || state === 'disconnected' || state === 'closed')) {
      this.onClosed(state);
    }
  }
}
