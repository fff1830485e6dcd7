/**
 * A receiver that is not a browser, for the shadow: takes Chromium's stream, reports its packets, and writes down both.
 *
 *   node tests/bench/gcc/receiver.ts FILE
 *
 * A line with the offer in, a line with the answer out (JSON strings); ends with its input. FILE gets a JSON line for
 * each packet {atMs, sequence, absoluteSendTime, sizeBytes} and for each RTCP packet sent {atMs, rtcp}. ICE, DTLS, SRTP
 * and SDP are werift's, the transport-wide feedback is written here, every 50 ms.
 */
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { RTCPeerConnection, RTCRtpCodecParameters, RTCRtpHeaderExtensionParameters, RtpHeader } from 'werift';
import { nowMs } from '../../../core/system/clock.ts';
import { udpHeadersBytes } from '../../../core/vocabulary/udp.ts';
import { extensionUri } from '../../../server/rtp/header-extensions.ts';
import { askNoStunServer } from '../../../server/transport/werift-internals.ts';
import { FeedbackWriter } from './feedback-writer.ts';

const out = createWriteStream(process.argv[2]!);
const write = (record: object) => out.write(`${JSON.stringify(record)}\n`);

const connection = new RTCPeerConnection({
  iceServers: [],
  iceUseIpv6: false,
  iceUseTcp: false,
  bundlePolicy: 'max-bundle',
  codecs: {
    video: [
      new RTCRtpCodecParameters({
        mimeType: 'video/H264',
        clockRate: 90000,
        parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
        rtcpFeedback: [{ type: 'transport-cc' }, { type: 'nack' }, { type: 'nack', parameter: 'pli' }],
      }),
      new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90000, rtcpFeedback: [] }),
    ],
    audio: [],
  },
  headerExtensions: {
    video: Object.values(extensionUri).map(uri => new RTCRtpHeaderExtensionParameters({ uri })),
    audio: [],
  },
});

const feedback = new FeedbackWriter(1);
/** As often as Chromium reports at a few Mbit/s. */
const reportMs = 50;
let mediaSsrc = 0;

/** werift would report as well, and Chromium would be told everything twice. */
function silenceWerift(receiver: object): void {
  const inside = receiver as { receiverTWCC?: { twccRunning: boolean; handleTWCC(): void } };
  if (inside.receiverTWCC !== undefined) inside.receiverTWCC.twccRunning = false;
  inside.receiverTWCC = { twccRunning: false, handleTWCC: () => {} };
}

/**
 * Sees every packet that comes in and every report that goes out; the sessions are werift's own, which nothing public
 * shows.
 */
function watch(): void {
  const transceiver = connection.getTransceivers()[0]!;
  const { srtp, srtcp } = transceiver.dtlsTransport;
  const idOf = (uri: string) => transceiver.headerExtensions.find(extension => extension.uri === uri)?.id;
  const [sequenceId, sendTimeId] = [idOf(extensionUri.transportSequence), idOf(extensionUri.absoluteSendTime)];
  const decrypt = srtp!.decrypt;
  srtp!.decrypt = bytes => {
    const atMs = nowMs();
    const { extensions } = RtpHeader.deSerialize(bytes);
    const find = (id: number | undefined) => extensions.find(extension => extension.id === id)?.payload;
    const [sequence, sendTime] = [find(sequenceId), find(sendTimeId)];
    if (sequence === undefined || sendTime === undefined) return decrypt(bytes);
    mediaSsrc = bytes.readUInt32BE(8);
    feedback.onArrival(sequence.readUInt16BE(), atMs * 1000);
    write({
      atMs,
      sequence: sequence.readUInt16BE(),
      absoluteSendTime: sendTime.readUIntBE(0, 3),
      sizeBytes: bytes.length + udpHeadersBytes,
    });
    return decrypt(bytes);
  };
  const encrypt = srtcp!.encrypt.bind(srtcp);
  setInterval(() => {
    const report = feedback.take(mediaSsrc);
    if (report !== undefined)
      transceiver.dtlsTransport.iceTransport.connection.send(srtcp!.encrypt(report)).catch(() => {});
  }, reportMs);
  srtcp!.encrypt = plain => {
    write({ atMs: nowMs(), rtcp: plain.toString('hex') });
    return encrypt(plain);
  };
}

connection.connectionStateChange.subscribe(state => {
  if (state === 'connected') watch();
});

const lines = createInterface({ input: process.stdin });
lines.once('line', async line => {
  await connection.setRemoteDescription({ type: 'offer', sdp: JSON.parse(line) as string });
  const [transceiver] = connection.getTransceivers();
  transceiver!.setDirection('recvonly');
  askNoStunServer(transceiver!);
  await connection.setLocalDescription(await connection.createAnswer());
  silenceWerift(transceiver!.receiver);
  process.stdout.write(`${JSON.stringify(connection.localDescription!.sdp)}\n`);
});
lines.once('close', () => out.end(() => process.exit()));
