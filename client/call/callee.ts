/** The page that is called in a call: answers the caller's offer, plays the received video and records its frames. */
import { gathered } from '../gathering.ts';
import { timeMs } from '../page-clock.ts';
import { Viewing } from '../viewing.ts';
import type { CalleeApi } from '../wire.ts';

const viewing = new Viewing(
  document.querySelector<HTMLVideoElement>('#video')!,
  document.querySelector<HTMLParagraphElement>('#status')!,
);

const api: CalleeApi = {
  timeMs,
  status: () => viewing.status(),
  drain: () => viewing.drain(),
  close: () => viewing.close(),
  async answer(offer) {
    const peer = new RTCPeerConnection({ iceServers: [] });
    const log = viewing.follow(peer, 'the caller');
    await log.accept({ type: 'offer', sdp: offer });
    await log.answer();
    await gathered(peer);
    viewing.enter('connecting');
    return peer.localDescription!.sdp;
  },
};
Object.assign(window, { coexist: api });
