/**
 * The page: plays the stream and writes down what is presented and when. It collects and judges nothing.
 *
 * URL: ?token=TOKEN, the token that the trial's server admits.
 */
import type { PageApi, PageDrain, PageState, PageStatus, PresentedFrame, StatsSample } from './wire.ts';

declare global {
  interface Window { coexist: PageApi }
}

const video = document.querySelector<HTMLVideoElement>('#video')!;
const statusLine = document.querySelector<HTMLParagraphElement>('#status')!;
const toUnixMs = (ms: number) => performance.timeOrigin + ms;

let state: PageState = 'starting';
let failure: PageStatus['failure'] = null;
let presentedFrames = 0;
let frames: PresentedFrame[] = [];
let connection: RTCPeerConnection | undefined;
let signaling: WebSocket | undefined;

function enter(next: PageState): void {
  if (state === 'failed' || state === 'closed') return;
  state = next;
  statusLine.textContent = next === 'playing' ? '' : next;
}

function fail(code: NonNullable<PageStatus['failure']>['code'], message: string): void {
  if (state === 'closed') return;
  failure ??= { code, message };
  enter('failed');
  statusLine.textContent = message;
}

// --- pictures

/** Chromium's metadata of a received picture; times are DOMHighResTimeStamps, processing is in seconds. */
function onPicture(now: number, metadata: VideoFrameCallbackMetadata): void {
  enter('playing');
  presentedFrames = metadata.presentedFrames;
  frames.push({
    callbackMs: toUnixMs(now),
    presentationMs: toUnixMs(metadata.presentationTime),
    expectedDisplayMs: toUnixMs(metadata.expectedDisplayTime),
    presentedFrames: metadata.presentedFrames,
    receiveMs: metadata.receiveTime === undefined ? null : toUnixMs(metadata.receiveTime),
    rtpTimestamp: metadata.rtpTimestamp ?? null,
    processingMs: metadata.processingDuration === undefined ? null : metadata.processingDuration * 1000,
    width: metadata.width,
    height: metadata.height,
  });
  video.requestVideoFrameCallback(onPicture);
}

// --- the main thread's own punctuality

const canaryMs = 20;
let canaryDue = performance.now() + canaryMs;
let mainThreadDelayMaxMs = 0;

function canary(): void {
  const now = performance.now();
  mainThreadDelayMaxMs = Math.max(mainThreadDelayMaxMs, now - canaryDue);
  canaryDue = now + canaryMs;
  setTimeout(canary, canaryMs);
}
setTimeout(canary, canaryMs);

// --- statistics

async function readStats(): Promise<StatsSample | null> {
  if (connection === undefined || connection.connectionState === 'closed') return null;
  const report = await connection.getStats();
  const sample: StatsSample = { timeMs: toUnixMs(performance.now()), inbound: null, candidatePair: null, remoteOutbound: null };
  report.forEach(entry => {
    if (entry.type === 'inbound-rtp' && entry.kind === 'video') sample.inbound = entry;
    if (entry.type === 'candidate-pair' && entry.nominated) sample.candidatePair = entry;
    if (entry.type === 'remote-outbound-rtp') sample.remoteOutbound = entry;
  });
  return sample;
}

// --- connection

function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise(resolve => {
    if (peer.iceGatheringState === 'complete') return resolve();
    peer.addEventListener('icegatheringstatechange', () => { if (peer.iceGatheringState === 'complete') resolve(); });
    setTimeout(resolve, 3000);
  });
}

async function connect(): Promise<void> {
  const codecs = RTCRtpReceiver.getCapabilities('video')?.codecs ?? [];
  const h264 = codecs.filter(codec => codec.mimeType === 'video/H264' && /packetization-mode=1/.test(codec.sdpFmtpLine ?? '') && /profile-level-id=42e0/i.test(codec.sdpFmtpLine ?? ''));
  if (h264.length === 0) return fail('no-h264', 'this browser cannot receive H.264');
  const peer = connection = new RTCPeerConnection({ iceServers: [] });
  const transceiver = peer.addTransceiver('video', { direction: 'recvonly' });
  transceiver.setCodecPreferences([...h264, ...codecs.filter(codec => codec.mimeType === 'video/rtx')]);
  peer.addEventListener('track', event => {
    video.srcObject = new MediaStream([event.track]);
    video.requestVideoFrameCallback(onPicture);
  });
  peer.addEventListener('connectionstatechange', () => {
    if (peer.connectionState === 'failed') fail('connection', 'the connection to the media server failed');
  });
  await peer.setLocalDescription();
  await gathered(peer);

  const token = new URLSearchParams(location.search).get('token') ?? '';
  const socket = signaling = new WebSocket(`ws://${location.host}/signal?token=${encodeURIComponent(token)}`);
  enter('connecting');
  socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'offer', sdp: peer.localDescription!.sdp })));
  socket.addEventListener('error', () => fail('refused', 'the media server let nobody in (wrong token?)'));
  socket.addEventListener('message', async event => {
    const message = JSON.parse(event.data) as { type: string; sdp?: string; message?: string };
    if (message.type === 'answer') await peer.setRemoteDescription({ type: 'answer', sdp: message.sdp ?? '' });
    else fail('refused', `the media server refused: ${message.message}`);
  });
}

window.coexist = {
  timeMs: () => toUnixMs(performance.now()),
  status: () => ({ state, failure, presentedFrames }),
  async drain(): Promise<PageDrain> {
    const stats = await readStats();
    const drained = { status: this.status(), frames, stats, mainThreadDelayMaxMs, visible: document.visibilityState === 'visible' };
    frames = [];
    mainThreadDelayMaxMs = 0;
    return drained;
  },
  close() {
    if (signaling?.readyState === WebSocket.OPEN) signaling.send(JSON.stringify({ type: 'bye' }));
    connection?.close();
    enter('closed');
    state = 'closed';
  },
};

connect().catch((error: unknown) => fail('connection', error instanceof Error ? error.message : String(error)));
