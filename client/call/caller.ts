/**
 * The page that calls in a call: sends the picture of the browser's camera. The browser's own congestion control sets
 * the bit rate.
 */
import { ConnectionLog } from '../connection-log.ts';
import { gathered } from '../gathering.ts';
import { timeMs } from '../page-clock.ts';
import { plainEntry } from '../plain-entry.ts';
import { TimerLateness } from '../timer-lateness.ts';
import type { CallerApi, CallerDrain, CallOptions } from '../wire.ts';

const lateness = new TimerLateness();
let peer: RTCPeerConnection | undefined;
let log: ConnectionLog | undefined;

async function offer({ width, height, frameRate, codec, maxBps, degradation }: CallOptions): Promise<string> {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const wanted = codecs.filter(
    ({ mimeType, sdpFmtpLine = '' }) =>
      mimeType.toLowerCase() === `video/${codec}` && (codec !== 'h264' || /packetization-mode=1/.test(sdpFmtpLine)),
  );
  if (wanted.length === 0) throw new Error(`this browser cannot send ${codec}`);
  const media = await navigator.mediaDevices.getUserMedia({
    video: { width: { exact: width }, height: { exact: height }, frameRate: { ideal: frameRate } },
  });
  const [track] = media.getVideoTracks();
  track!.contentHint = 'motion';
  peer = new RTCPeerConnection({ iceServers: [] });
  log = new ConnectionLog(peer);
  const transceiver = peer.addTransceiver(track!, {
    direction: 'sendonly',
    sendEncodings: [{ maxBitrate: maxBps, maxFramerate: frameRate }],
  });
  transceiver.setCodecPreferences([...wanted, ...codecs.filter(({ mimeType }) => mimeType === 'video/rtx')]);
  if (degradation !== null)
    await transceiver.sender.setParameters({
      ...transceiver.sender.getParameters(),
      degradationPreference: degradation,
    });
  await log.offer();
  await gathered(peer);
  return peer.localDescription!.sdp;
}

async function drain(): Promise<CallerDrain> {
  const drained: CallerDrain = {
    timeMs: timeMs(),
    state: peer?.connectionState ?? 'new',
    outbound: null,
    candidatePair: null,
    remoteInbound: null,
    cpuLimitedS: null,
    events: log?.drain() ?? [],
    mainThreadDelayMaxMs: lateness.take(),
    visible: document.visibilityState === 'visible',
  };
  const report = await peer?.getStats();
  report?.forEach(entry => {
    if (entry.type === 'outbound-rtp' && entry.kind === 'video') {
      drained.outbound = plainEntry(entry);
      drained.cpuLimitedS = entry.qualityLimitationDurations?.cpu ?? null;
    }
    if (entry.type === 'candidate-pair' && entry.nominated) drained.candidatePair = plainEntry(entry);
    if (entry.type === 'remote-inbound-rtp') drained.remoteInbound = plainEntry(entry);
  });
  return drained;
}

/** Deactivates the encodings of the camera's sender, or activates them (W3C webrtc, RTCRtpEncodingParameters). */
async function setPaused(isPaused: boolean): Promise<void> {
  for (const sender of peer!.getSenders()) {
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) encoding.active = !isPaused;
    await sender.setParameters(parameters);
  }
}

const api: CallerApi = {
  timeMs,
  offer,
  drain,
  setPaused,
  accept: async answer => log!.accept({ type: 'answer', sdp: answer }),
  close: () => peer?.close(),
};
Object.assign(window, { coexist: api });
