/**
 * Page of the live clip: requests the stream from the media server, plays it, and records which frames are presented
 * and when.
 *
 * URL: ?token=TOKEN, the token that the trial's server accepts; &voice=1, to receive a voice as well, &voice=alone, to
 * receive nothing else; &caption=TEXT, the window title for people who watch.
 */
import { gathered } from './gathering.ts';
import { timeMs } from './page-clock.ts';
import { Viewing } from './viewing.ts';
import type { PageApi } from './wire.ts';

declare global {
  interface Window {
    coexist: PageApi;
  }
}

/**
 * Formats that may be negotiated in addition to H.264: retransmission, and error correction, which the browser offers
 * only if it was started with it.
 */
const repair = ['video/rtx', 'video/flexfec-03'];
const viewing = new Viewing(
  document.querySelector<HTMLVideoElement>('#video')!,
  document.querySelector<HTMLParagraphElement>('#status')!,
);
const asked = new URLSearchParams(location.search);
let signaling: WebSocket | undefined;

function showCaption(text: string): void {
  document.querySelector('#caption')!.textContent = text;
  if (text !== '') document.title = text;
}

/** Asks for the video. Returns false if this browser cannot receive it. */
function askForVideo(peer: RTCPeerConnection): boolean {
  const codecs = RTCRtpReceiver.getCapabilities('video')?.codecs ?? [];
  const h264 = codecs.filter(
    codec =>
      codec.mimeType === 'video/H264' &&
      /packetization-mode=1/.test(codec.sdpFmtpLine ?? '') &&
      /profile-level-id=42e0/i.test(codec.sdpFmtpLine ?? ''),
  );
  if (h264.length === 0) return false;
  const transceiver = peer.addTransceiver('video', { direction: 'recvonly' });
  transceiver.setCodecPreferences([...h264, ...codecs.filter(codec => repair.includes(codec.mimeType))]);
  return true;
}

async function connect(): Promise<void> {
  const peer = new RTCPeerConnection({ iceServers: [] });
  if (asked.get('voice') !== 'alone' && !askForVideo(peer))
    return viewing.fail('no-h264', 'this browser cannot receive H.264');
  if (asked.has('voice')) {
    const voices = RTCRtpReceiver.getCapabilities('audio')?.codecs ?? [];
    const voice = peer.addTransceiver('audio', { direction: 'recvonly' });
    // Opus first; redundant audio only carries it
    voice.setCodecPreferences(
      ['audio/opus', 'audio/red'].flatMap(name => voices.filter(codec => codec.mimeType === name)),
    );
  }
  const log = viewing.follow(peer, 'the media server');
  await log.offer();
  await gathered(peer);

  const token = asked.get('token') ?? '';
  const socket = (signaling = new WebSocket(`ws://${location.host}/signal?token=${encodeURIComponent(token)}`));
  viewing.enter('connecting');
  socket.addEventListener('open', () =>
    socket.send(JSON.stringify({ type: 'offer', sdp: peer.localDescription!.sdp })),
  );
  socket.addEventListener('error', () => viewing.fail('refused', 'the media server let nobody in (wrong token?)'));
  socket.addEventListener('message', async event => {
    const message = JSON.parse(event.data) as { type: string; sdp?: string; message?: string };
    if (message.type === 'answer') await log.accept({ type: 'answer', sdp: message.sdp ?? '' });
    else viewing.fail('refused', `the media server refused: ${message.message}`);
  });
}

window.coexist = {
  timeMs,
  status: () => viewing.status(),
  drain: () => viewing.drain(),
  close() {
    if (signaling?.readyState === WebSocket.OPEN) signaling.send(JSON.stringify({ type: 'bye' }));
    viewing.close();
  },
};

showCaption(asked.get('caption') ?? '');
connect().catch((error: unknown) => viewing.fail('connection', error instanceof Error ? error.message : String(error)));
