/** The worker that takes the samples of a voice, on a stream of blocks made by hand. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { VoicePart } from '../../../client/wire.ts';

/** A block of samples that the browser passes on. */
type Block = { numberOfFrames: number; sampleRate: number; copyTo(into: Float32Array): void; close(): void };
type Order = { readable: ReadableStream<Block>; isCaptured: boolean };

const parts: VoicePart[] = [];
let listen: ((event: { data: Order }) => Promise<void>) | undefined;
let pageMs = 0;
Object.assign(globalThis, {
  addEventListener: (_: string, listener: typeof listen) => (listen = listener),
  postMessage: (part: VoicePart) => parts.push(part),
});

const sine = (ms: number) => 0.5 * Math.sin(2 * Math.PI * ms);
let loaded = 0;

/** Has a worker of its own take blocks of 10 ms of a tone of 1 kHz, one every 10 ms and some of them late. */
async function taken(t: TestContext, sampleRate: number, isCaptured: boolean): Promise<VoicePart[]> {
  t.mock.method(performance, 'now', () => pageMs);
  parts.length = 0;
  await import(`${new URL('../../../client/voice-worker.ts', import.meta.url).href}?${loaded++}`);
  const length = sampleRate / 100;
  let closed = 0;
  const blocks = (async function* () {
    for (let k = 0; k < 101; k++) {
      pageMs = 5000 + 10 * k + (k % 3 === 0 ? 7 : 0);
      yield {
        numberOfFrames: length,
        sampleRate,
        copyTo: (into: Float32Array) =>
          into.forEach((_, i) => (into[i] = sine(((length * k + i) * 1000) / sampleRate))),
        close: () => void closed++,
      };
    }
  })();
  await listen!({ data: { readable: ReadableStream.from(blocks), isCaptured } });
  assert.equal(closed, 101);
  return parts.slice(0, 4);
}

for (const [sampleRate, isCaptured] of [
  [48_000, false],
  [44_100, true],
] as const)
  test(`blocks of ${sampleRate} Hz become parts of 250 ms of 16 kHz, with the earliest time that a block tells`, async t => {
    const told = await taken(t, sampleRate, isCaptured);
    assert.equal(told.length, 4);
    // the low pass delays by 30 samples; a captured block began its length before it was passed on
    const delayMs = 30_000 / sampleRate;
    const beginMs = performance.timeOrigin + 5000 - delayMs - (isCaptured ? 10 : 0);
    for (const [k, { timeMs, pcm }] of told.entries()) {
      assert.ok(Math.abs(timeMs - beginMs - 250 * k) < 0.05, `part ${k}: ${timeMs - beginMs - 250 * k} ms off`);
      const bytes = Buffer.from(pcm, 'base64');
      assert.equal(bytes.length, 8000);
      for (let i = k === 0 ? 30 : 0; i < 4000; i++) {
        const wanted = 32_767 * sine((4000 * k + i) / 16 - delayMs);
        assert.ok(Math.abs(bytes.readInt16LE(2 * i) - wanted) < 200, `part ${k}, sample ${i}`);
      }
    }
  });
