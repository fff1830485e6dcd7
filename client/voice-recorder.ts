/**
 * Records the voice of a track: of one that the page receives and plays, or of one that it captures and sends. A worker
 * takes the samples, so that a busy page loses none of them.
 */
import type { VoicePart } from './wire.ts';

/** Number of parts that are kept for the harness, which usually takes them once a second: two minutes. */
const mostParts = 480;

/** Reads a track's samples. Not in the DOM types yet (W3C mediacapture-transform, section 2.2; Chromium has it). */
declare class MediaStreamTrackProcessor {
  constructor(options: { track: MediaStreamTrack; maxBufferSize: number });
  readonly readable: ReadableStream;
}

/** Longest queue of samples for the worker, in blocks of 10 ms: two seconds. */
const mostWaiting = 200;

/** Order for the worker. `isCaptured`: the track is captured, so a block was complete when the browser passed it on. */
export type VoiceOrder = { readable: ReadableStream; isCaptured: boolean };

export class VoiceRecorder {
  #parts: VoicePart[] = [];

  /** `onPart`: called with each part that is not silent. */
  constructor(track: MediaStreamTrack, { isCaptured }: Pick<VoiceOrder, 'isCaptured'>, onPart = () => {}) {
    const worker = new Worker(new URL('./voice-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<VoicePart>) => {
      this.#parts.push(data);
      if (this.#parts.length > mostParts) this.#parts.shift();
      if (/[^A=]/.test(data.pcm)) onPart(); // "A" are zeros in base64
    });
    const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: mostWaiting });
    worker.postMessage({ readable, isCaptured } satisfies VoiceOrder, [readable]);
  }

  /** Returns the parts since the last call, and forgets them. */
  drain(): VoicePart[] {
    return this.#parts.splice(0);
  }
}
