/** Plays adaptive video with dash.js. Only the maximum buffer is set; everything else follows dash.js's own rules. */
import { MediaPlayer } from 'dashjs';
import type { VideoOrder } from '../wire.ts';

export function playDash(
  video: HTMLVideoElement,
  { origins, bufferS }: VideoOrder,
  fail: (message: string) => void,
): void {
  const player = MediaPlayer().create();
  player.updateSettings({
    // segments that were fetched at a lower rung stay in the buffer, as in hls.js
    streaming: {
      buffer: {
        bufferTimeDefault: bufferS,
        bufferTimeAtTopQuality: bufferS,
        bufferTimeAtTopQualityLongForm: bufferS,
        fastSwitchEnabled: false,
      },
    },
  });
  player.on(MediaPlayer.events.ERROR, ({ error }) =>
    fail(`dash.js failed: ${typeof error === 'string' ? error : error.message}`),
  );
  player.initialize(video, `${origins[0]}/video/manifest.mpd`, true);
}
