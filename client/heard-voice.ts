/** Records the voice that a track plays. A worker takes the samples, so that a busy page loses none of them. */
import type { HeardPart } from './wire.ts';

/** Number of parts that are kept for the harness, which usually takes them once a second: two minutes. */
const mostParts = 480;

/** Reads a track's samples. Not in the DOM types yet (W3C mediacapture-transform, section 2.2; Chromium has it). */
declare class MediaStreamTrackProcessor {
  constructor(options: { track: MediaStreamTrack; maxBufferSize: number });
  readonly readable: ReadableStream;
}

/** Longest queue of samples for the worker, in blocks of 10 ms: two seconds. */
const mostWaiting = 200;

export class HeardVoice {
  #parts: HeardPart[] = [];

  /** `onPart`: called with each part that is not silent. */
  constructor(track: MediaStreamTrack, onPart: () => void) {
    const worker = new Worker(new URL('./heard-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<HeardPart>) => {
      this.#parts.push(data);
      if (this.#parts.length > mostParts) this.#parts.shift();
      if (/[^A=]/.test(data.pcm)) onPart(); // "A" are zeros in base64
    });
    const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: mostWaiting });
    worker.postMessage(readable, [readable]);
  }

  /** Returns the parts since the last call, and forgets them. */
  drain(): HeardPart[] {
    return this.#parts.splice(0);
  }
}
