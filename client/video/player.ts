/** Page of adaptive video: plays the video with a player and records what the viewer sees. */
import { timeMs } from '../page-clock.ts';
import type { VideoApi, VideoOrder } from '../wire.ts';
import { Watching } from './watching.ts';

const watching = new Watching(document.querySelector('video')!);

async function play(order: VideoOrder): Promise<void> {
  const fail = (message: string) => watching.fail(message);
  if (order.player === 'hls.js') {
    const { playHls } = await import('./hls-player.ts');
    watching.begin(order.segmentS);
    playHls(watching.video, order, fail);
  } else {
    const { playDash } = await import('./dash-player.ts');
    watching.begin(order.segmentS);
    playDash(watching.video, order, fail);
  }
  await watching.video.play();
}

const api: VideoApi = {
  timeMs,
  start: order => {
    play(order).catch((error: unknown) => watching.fail(String(error)));
  },
  drain: () => watching.drain(),
};
Object.assign(globalThis, { coexist: api });
