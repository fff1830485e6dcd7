/**
 * The page that calls in a call: sends the picture of the browser's camera, and the voice of its microphone. The
 * browser's own congestion control sets the bit rate.
 */
import { ConnectionLog } from '../connection-log.ts';
import { gathered } from '../gathering.ts';
import { timeMs } from '../page-clock.ts';
import { plainEntry } from '../plain-entry.ts';
import { TimerLateness } from '../timer-lateness.ts';
import { VoiceRecorder } from '../voice-recorder.ts';
import type { CallerApi, CallerDrain, CallOptions, CallVoice } from '../wire.ts';

/** Constraints on the microphone: its samples are sent as they are. Processing would damage the chirps in them. */
const unprocessed = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

const lateness = new TimerLateness();
let peer: RTCPeerConnection | undefined;
let log: ConnectionLog | undefined;
let spoken: VoiceRecorder | undefined;

async function offer(options: CallOptions): Promise<string> {
  const { width, height, frameRate, audio } = options;
  const media = await navigator.mediaDevices.getUserMedia({
    video: { width: { exact: width }, height: { exact: height }, frameRate: { ideal: frameRate } },
    audio: audio === null ? false : unprocessed,
  });
  peer = new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' });
  log = new ConnectionLog(peer);
  const streams = audio?.sync === true ? [media] : [];
  await sendPicture(peer, media.getVideoTracks()[0]!, streams, options);
  if (audio !== null) sendVoice(peer, media.getAudioTracks()[0]!, streams, audio);
  await log.offer();
  await gathered(peer);
  return peer.localDescription!.sdp;
}

async function sendPicture(
  to: RTCPeerConnection,
  track: MediaStreamTrack,
  streams: MediaStream[],
  { codec, frameRate, maxBps, degradation }: CallOptions,
): Promise<void> {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const wanted = codecs.filter(
    ({ mimeType, sdpFmtpLine = '' }) =>
      mimeType.toLowerCase() === `video/${codec}` && (codec !== 'h264' || /packetization-mode=1/.test(sdpFmtpLine)),
  );
  if (wanted.length === 0) throw new Error(`this browser cannot send ${codec}`);
  track.contentHint = 'motion';
  const transceiver = to.addTransceiver(track, {
    direction: 'sendonly',
    streams,
    sendEncodings: [{ maxBitrate: maxBps, maxFramerate: frameRate }],
  });
  transceiver.setCodecPreferences([...wanted, ...codecs.filter(({ mimeType }) => mimeType === 'video/rtx')]);
  if (degradation !== null)
    await transceiver.sender.setParameters({
      ...transceiver.sender.getParameters(),
      degradationPreference: degradation,
    });
}

function sendVoice(
  to: RTCPeerConnection,
  track: MediaStreamTrack,
  streams: MediaStream[],
  { maxBps, isRedundant }: CallVoice,
): void {
  const codecs = RTCRtpSender.getCapabilities('audio')?.codecs ?? [];
  const of = (name: string) => codecs.filter(({ mimeType }) => mimeType === name);
  if (isRedundant && of('audio/red').length === 0) throw new Error('this browser cannot send redundant audio (red)');
  spoken = new VoiceRecorder(track, { isCaptured: true });
  const transceiver = to.addTransceiver(track, {
    direction: 'sendonly',
    streams,
    sendEncodings: [{ maxBitrate: maxBps }],
  });
  // redundant audio carries Opus
  transceiver.setCodecPreferences([...(isRedundant ? of('audio/red') : []), ...of('audio/opus')]);
}

async function drain(): Promise<CallerDrain> {
  const drained: CallerDrain = {
    timeMs: timeMs(),
    state: peer?.connectionState ?? 'new',
    outbound: null,
    candidatePair: null,
    remoteInbound: null,
    cpuLimitedS: null,
    spoken: spoken?.drain() ?? [],
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
    if (entry.type === 'outbound-rtp' && entry.kind === 'audio') drained.outboundAudio = plainEntry(entry);
    if (entry.type === 'candidate-pair' && entry.nominated) drained.candidatePair = plainEntry(entry);
    if (entry.type === 'remote-inbound-rtp' && entry.kind === 'video') drained.remoteInbound = plainEntry(entry);
  });
  return drained;
}

/** Deactivates the encodings of the senders, or activates them (W3C webrtc, RTCRtpEncodingParameters). */
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
