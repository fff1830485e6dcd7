/**
 * Measures adaptive video as a viewer sees it: start-up, stalls, rungs, buffer, frames. The values come from the video
 * element and from the browser's own records of the fetches (Resource Timing), so they mean the same for every player.
 */
import { timeMs, toUnixMs } from '../page-clock.ts';
import { TimerLateness } from '../timer-lateness.ts';
import type { VideoDrain, VideoSegment, VideoStall } from '../wire.ts';

/** Longest time, ms, for which the position may stay unchanged without a stall. */
const stallMs = 150;
const pollMs = 50;

type Parts = { startMs: number; firstByteMs: number; endMs: number; bytes: number; count: number };

export class Watching {
  readonly video: HTMLVideoElement;
  readonly #lateness = new TimerLateness();
  /** Received parts of segments that are not complete, by the path of the segment. */
  readonly #parts = new Map<string, Parts>();
  /**
   * Rung of each received segment, by the number of the segment. If a segment was received several times, its last rung
   * counts.
   */
  readonly #rungs = new Map<number, number>();
  readonly #protocols = new Set<string>();
  #segmentS = 1;
  #startMs: number | null = null;
  #firstFrameMs: number | null = null;
  #positionS = 0;
  #movedMs = 0;
  #stalledSinceMs: number | null = null;
  #stallCount = 0;
  #endedStallsMs = 0;
  #receivedBytes = 0;
  #segments: VideoSegment[] = [];
  #stalls: VideoStall[] = [];
  #failure: string | null = null;

  constructor(video: HTMLVideoElement) {
    this.video = video;
    video.addEventListener('error', () =>
      this.fail(`the video element failed: ${video.error?.message ?? 'no reason'}`),
    );
    video.addEventListener('ended', () => this.fail('the video came to its end'));
  }

  begin(segmentS: number): void {
    this.#segmentS = segmentS;
    this.#startMs = performance.now();
    this.video.requestVideoFrameCallback(now => {
      this.#firstFrameMs = now;
      this.#movedMs = performance.now();
    });
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) this.#onFetched(entry as PerformanceResourceTiming);
    }).observe({ type: 'resource' });
    setInterval(() => this.#poll(), pollMs);
  }

  fail(message: string): void {
    this.#failure ??= message;
  }

  drain(): VideoDrain {
    const { buffered, currentTime } = this.video;
    const { totalVideoFrames, droppedVideoFrames } = this.video.getVideoPlaybackQuality();
    const openStallMs = this.#stalledSinceMs === null ? 0 : performance.now() - this.#stalledSinceMs;
    const drained = {
      timeMs: timeMs(),
      mainThreadDelayMaxMs: this.#lateness.take(),
      visible: document.visibilityState === 'visible',
      startupMs: this.#firstFrameMs === null || this.#startMs === null ? null : this.#firstFrameMs - this.#startMs,
      positionS: currentTime,
      bufferS: buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime),
      rung: this.#firstFrameMs === null ? null : (this.#rungs.get(Math.floor(currentTime / this.#segmentS)) ?? null),
      receivedBytes: this.#receivedBytes,
      stallCount: this.#stallCount,
      stalledMs: this.#endedStallsMs + openStallMs,
      openStallMs,
      presentedFrames: totalVideoFrames - droppedVideoFrames,
      droppedFrames: droppedVideoFrames,
      segments: this.#segments,
      stalls: this.#stalls,
      protocols: [...this.#protocols],
      failure: this.#failure,
    };
    this.#segments = [];
    this.#stalls = [];
    performance.clearResourceTimings();
    return drained;
  }

  #poll(): void {
    if (this.#firstFrameMs === null) return;
    const nowMs = performance.now();
    const { currentTime } = this.video;
    if (currentTime === this.#positionS) {
      if (this.#stalledSinceMs !== null || nowMs - this.#movedMs <= stallMs) return;
      this.#stalledSinceMs = this.#movedMs;
      this.#stallCount++;
      return;
    }
    if (this.#stalledSinceMs !== null) {
      const durationMs = nowMs - this.#stalledSinceMs;
      this.#stalls.push({ endMs: toUnixMs(nowMs), positionS: this.#positionS, durationMs });
      this.#endedStallsMs += durationMs;
      this.#stalledSinceMs = null;
    }
    this.#positionS = currentTime;
    this.#movedMs = nowMs;
  }

  /** Counts a fetched part of a segment. A fetch without bytes, such as an aborted one, is ignored. */
  #onFetched({
    name,
    startTime,
    responseStart,
    responseEnd,
    encodedBodySize,
    nextHopProtocol,
  }: PerformanceResourceTiming): void {
    const url = new URL(name);
    const [, rung, number] = /^\/video\/(\d+)\/(\d+)\.m4s$/.exec(url.pathname) ?? [];
    if (number === undefined || encodedBodySize === 0) return;
    this.#protocols.add(nextHopProtocol);
    const parts = this.#parts.get(url.pathname) ?? {
      startMs: Infinity,
      firstByteMs: Infinity,
      endMs: 0,
      bytes: 0,
      count: 0,
    };
    parts.startMs = Math.min(parts.startMs, startTime);
    parts.firstByteMs = Math.min(parts.firstByteMs, responseStart);
    parts.endMs = Math.max(parts.endMs, responseEnd);
    parts.bytes += encodedBodySize;
    parts.count++;
    this.#parts.set(url.pathname, parts);
    if (parts.count < Number(url.searchParams.get('of') ?? 1)) return;
    this.#parts.delete(url.pathname);
    this.#rungs.set(Number(number), Number(rung));
    this.#receivedBytes += parts.bytes;
    this.#segments.push({
      endMs: toUnixMs(parts.endMs),
      number: Number(number),
      rung: Number(rung),
      bytes: parts.bytes,
      firstByteMs: parts.firstByteMs - parts.startMs,
      durationMs: parts.endMs - parts.startMs,
    });
  }
}
