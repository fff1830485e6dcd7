/**
 * Worker that takes the samples of a voice when the browser passes them on, for playing or from its microphone, and
 * reduces them to 16 kHz. Chromium plays 48 kHz, and its fake microphone has 44.1 kHz. It uses no AudioWorklet, which
 * the page would get only over HTTPS, and whose own clock and buffer would add gaps that the listener does not hear.
 */
import { timeMs } from './page-clock.ts';
import type { VoiceOrder } from './voice-recorder.ts';
import type { VoicePart } from './wire.ts';

const recordedRateHz = 16_000;
/** Length of a part, recorded samples: a quarter of a second. */
const partSamples = 4000;
/** Number of coefficients of the low pass (sinc in a Hamming window, 7.2 kHz), which delays by half of them. */
const taps = 61;
const middle = (taps - 1) / 2;
const cutOffHz = 7200;

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/**
 * Low pass for input of `rateHz`. Recorded sample k lies at the place k * `step` / `phases.length` of the input; each
 * phase has the coefficients for one place between two samples of the input.
 */
function lowPass(rateHz: number) {
  const common = commonDivisor(rateHz, recordedRateHz);
  const count = recordedRateHz / common;
  const phases = Array.from({ length: count }, (_, phase) => {
    const raw = Array.from({ length: taps }, (_, k) => {
      const place = k - middle - phase / count;
      const x = (2 * cutOffHz * place) / rateHz;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      return sinc * (0.54 + 0.46 * Math.cos((Math.PI * place) / middle));
    });
    const sum = raw.reduce((a, b) => a + b, 0);
    return raw.map(value => value / sum);
  });
  return { rateHz, phases, step: rateHz / common };
}

let filter = lowPass(48_000);
/** The last samples of the input, as a ring. */
const ring = new Float32Array(taps);
let ringAt = 0;
/** Number of samples of the input until the next recorded one, and its phase. */
let untilSample = 1;
let phase = 0;
let samples = new Int16Array(partSamples);
let filled = 0;
/** Number of samples of the input from the first recorded sample of the part to the begin of the block. */
let inputs = 0;
/**
 * Time at which the part began, ms: the earliest that any of its blocks tells. A block arrives here when the browser
 * passes it on, or later, never earlier. The time that it has itself is of no use for a received voice: once sender
 * reports have come, Chromium puts there when the block was captured.
 */
let partMs = Infinity;

function flush(): void {
  if (filled === 0) return;
  const pcm = btoa(String.fromCharCode(...new Uint8Array(samples.buffer, 0, filled * 2)));
  postMessage({ timeMs: partMs, pcm } satisfies VoicePart);
  samples = new Int16Array(partSamples);
  filled = 0;
}

/** `startMs`: time of the first sample of the block. */
function take(block: Float32Array, startMs: number): void {
  const { phases, step, rateHz } = filter;
  for (const [i, sample] of block.entries()) {
    ring[ringAt] = sample;
    ringAt = (ringAt + 1) % taps;
    if (--untilSample > 0) continue;
    const coefficients = phases[phase]!;
    if (filled === 0) {
      inputs = -i - phase / phases.length;
      partMs = Infinity;
    }
    let value = 0;
    for (let k = 0; k < taps; k++) value += coefficients[k]! * ring[(ringAt + k) % taps]!;
    samples[filled++] = Math.max(-32_767, Math.min(32_767, Math.round(value * 32_767)));
    partMs = Math.min(partMs, startMs - (1000 * (inputs + middle)) / rateHz);
    untilSample = Math.floor((phase + step) / phases.length);
    phase = (phase + step) % phases.length;
    if (filled === partSamples) flush();
  }
  inputs += block.length;
}

addEventListener('message', async ({ data: { readable, isCaptured } }: MessageEvent<VoiceOrder>) => {
  const reader = readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return flush();
    const arrivalMs = timeMs();
    const block = new Float32Array(value.numberOfFrames);
    value.copyTo(block, { planeIndex: 0, format: 'f32-planar' });
    if (value.sampleRate !== filter.rateHz) {
      flush();
      filter = lowPass(value.sampleRate);
      phase = 0;
    }
    take(block, arrivalMs - (isCaptured ? (1000 * block.length) / filter.rateHz : 0));
    value.close();
  }
});
