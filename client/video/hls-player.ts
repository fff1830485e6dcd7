/**
 * Plays adaptive video with hls.js. Only the maximum buffer and the number of connections are set; everything else
 * follows hls.js's own rules.
 */
import Hls from 'hls.js';
import type { VideoOrder } from '../wire.ts';
import { partsLoader } from './parts-loader.ts';

export function playHls(
  video: HTMLVideoElement,
  { origins, bufferS }: VideoOrder,
  fail: (message: string) => void,
): void {
  const hls = new Hls({
    maxBufferLength: bufferS,
    maxMaxBufferLength: bufferS,
    ...(origins.length > 1 ? { fLoader: partsLoader(origins) } : {}),
  });
  hls.on(Hls.Events.ERROR, (_event, { fatal, details }) => {
    if (fatal) fail(`hls.js failed: ${details}`);
  });
  hls.loadSource(`${origins[0]}/video/master.m3u8`);
  hls.attachMedia(video);
}
