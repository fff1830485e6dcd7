/**
 * Worker that takes the samples of a received voice when the browser passes them on for playing, and reduces them from
 * 48 kHz to 16 kHz. It uses no AudioWorklet, which the page would get only over HTTPS, and whose own clock and buffer
 * would add gaps that the listener does not hear.
 */
import { timeMs } from './page-clock.ts';
import type { HeardPart } from './wire.ts';

/** Samples of 48 kHz per recorded sample of 16 kHz. */
const step = 3;
const inputPerMs = 48;
/** Length of a part, recorded samples: a quarter of a second. */
const partSamples = 4000;
/** Number of coefficients of the low pass (sinc in a Hamming window, 7.2 kHz), which delays by half of them. */
const taps = 61;
const cutOffHz = 7200;
const coefficients = (() => {
  const raw = Array.from({ length: taps }, (_, k) => {
    const x = (2 * cutOffHz * (k - (taps - 1) / 2)) / 48_000;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return sinc * (0.54 - 0.46 * Math.cos((2 * Math.PI * k) / (taps - 1)));
  });
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map(value => value / sum);
})();

/** The last samples of the input, as a ring. */
const ring = new Float32Array(taps);
let ringAt = 0;
let untilSample = 1;
let samples = new Int16Array(partSamples);
let filled = 0;
/** Number of samples of the input since the begin of the part. */
let inputs = 0;
/**
 * Time at which the part began, ms: the earliest that any of its blocks tells. A block arrives here when the browser
 * passes it on, or later, never earlier. The time that it has itself is of no use: once sender reports have come,
 * Chromium puts there when the block was captured.
 */
let partMs = Infinity;

function flush(): void {
  if (filled === 0) return;
  const pcm = btoa(String.fromCharCode(...new Uint8Array(samples.buffer, 0, filled * 2)));
  postMessage({ timeMs: partMs, pcm } satisfies HeardPart);
  samples = new Int16Array(partSamples);
  filled = 0;
}

function take(block: Float32Array, arrivalMs: number): void {
  for (const [i, sample] of block.entries()) {
    if (filled === 0) {
      inputs = -i;
      partMs = Infinity;
    }
    ring[ringAt] = sample;
    ringAt = (ringAt + 1) % taps;
    if (--untilSample > 0) continue;
    untilSample = step;
    let value = 0;
    for (let k = 0; k < taps; k++) value += coefficients[k]! * ring[(ringAt + k) % taps]!;
    samples[filled++] = Math.max(-32_767, Math.min(32_767, Math.round(value * 32_767)));
    partMs = Math.min(partMs, arrivalMs - (inputs + (taps - 1) / 2) / inputPerMs);
    if (filled === partSamples) flush();
  }
  inputs += block.length;
}

addEventListener('message', async ({ data }: MessageEvent<ReadableStream>) => {
  const reader = data.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return flush();
    const block = new Float32Array(value.numberOfFrames);
    value.copyTo(block, { planeIndex: 0, format: 'f32-planar' });
    take(block, timeMs());
    value.close();
  }
});
