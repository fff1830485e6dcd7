/**
 * Reads the position and the stalls of the largest video element of a third-party page. The harness injects this code
 * into every frame before the page's own scripts, in an isolated world (harness/trial/browser/isolated-world.ts), so it
 * has no imports. An element stalls when its position does not move for more than 150 ms, if it has played and is
 * neither paused nor ended. The project's own video has the same rule (client/video/watching.ts).
 */
import type { ElementReading } from '../wire.ts';

{
  const stallMs = 150;
  const pollMs = 50;
  /** Largest buffer that is reported, s. The buffer of an element may be infinite. */
  const mostBufferS = 1e6;

  let element: HTMLVideoElement | undefined;
  let positionS = 0;
  let movedMs: number | null = null;
  let stalledSinceMs: number | null = null;
  const ended = { stalls: 0, stalledMs: 0 };

  const areaOf = (video: HTMLVideoElement) => video.clientWidth * video.clientHeight;

  const endStall = () => {
    if (stalledSinceMs === null) return;
    ended.stalls++;
    ended.stalledMs += performance.now() - stalledSinceMs;
    stalledSinceMs = null;
  };

  const poll = () => {
    const largest = [...document.querySelectorAll('video')].sort((a, b) => areaOf(b) - areaOf(a))[0];
    if (largest !== element) {
      endStall();
      [element, movedMs, positionS] = [largest, null, largest?.currentTime ?? 0];
    }
    if (element === undefined) return;
    const nowMs = performance.now();
    if (element.currentTime !== positionS) {
      endStall();
      [positionS, movedMs] = [element.currentTime, nowMs];
    } else if (element.paused || element.ended) {
      endStall();
      movedMs = null;
    } else if (movedMs !== null && stalledSinceMs === null && nowMs - movedMs > stallMs) stalledSinceMs = movedMs;
  };
  setInterval(poll, pollMs);

  const read = (): ElementReading | null => {
    if (element === undefined || element.videoWidth === 0) return null;
    const { videoWidth, videoHeight, currentTime, buffered } = element;
    const { totalVideoFrames, droppedVideoFrames } = element.getVideoPlaybackQuality();
    const openStallMs = stalledSinceMs === null ? 0 : performance.now() - stalledSinceMs;
    const ahead = Array.from({ length: buffered.length }, (_, k) =>
      buffered.start(k) <= currentTime ? buffered.end(k) - currentTime : 0,
    );
    return {
      area: areaOf(element),
      width: videoWidth,
      height: videoHeight,
      positionS: currentTime,
      bufferS: Math.min(mostBufferS, Math.max(0, ...ahead)),
      stalls: ended.stalls + (stalledSinceMs === null ? 0 : 1),
      stalledMs: ended.stalledMs + openStallMs,
      openStallMs,
      presentedFrames: totalVideoFrames - droppedVideoFrames,
      droppedFrames: droppedVideoFrames,
    };
  };
  Object.defineProperty(globalThis, 'coexistElement', { value: read });
}
