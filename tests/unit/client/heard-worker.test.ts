/** The worker that takes the samples of a voice, on a stream of blocks made by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeardPart } from '../../../client/wire.ts';

/** A block of samples of 48 kHz that the browser passes on. */
type Block = { numberOfFrames: number; copyTo(into: Float32Array): void; close(): void };

const parts: HeardPart[] = [];
let listen: ((event: { data: ReadableStream<Block> }) => Promise<void>) | undefined;
let pageMs = 0;
Object.assign(globalThis, {
  addEventListener: (_: string, listener: typeof listen) => (listen = listener),
  postMessage: (part: HeardPart) => parts.push(part),
});

test('blocks become parts of 250 ms of 16 kHz, with the earliest time that a block tells', async t => {
  t.mock.method(performance, 'now', () => pageMs);
  await import(new URL('../../../client/heard-worker.ts', import.meta.url).href);
  const at = (sample: number) => 0.5 * Math.sin((2 * Math.PI * 1000 * sample) / 48_000);
  let closed = 0;
  const blocks = (async function* () {
    for (let k = 0; k < 100; k++) {
      // a block of 10 ms every 10 ms, some of them late
      pageMs = 5000 + 10 * k + (k % 3 === 0 ? 7 : 0);
      yield {
        numberOfFrames: 480,
        copyTo: (into: Float32Array) => into.set(Float32Array.from({ length: 480 }, (_, i) => at(480 * k + i))),
        close: () => void closed++,
      };
    }
  })();
  await listen!({ data: ReadableStream.from(blocks) });
  assert.equal(closed, 100);
  assert.equal(parts.length, 4);
  for (const [k, { timeMs, pcm }] of parts.entries()) {
    // the low pass delays by 30 samples
    const wantedMs = performance.timeOrigin + 5000 + 250 * k - 30 / 48;
    assert.ok(Math.abs(timeMs - wantedMs) < 0.05, `part ${k}: ${timeMs - wantedMs} ms off`);
    const bytes = Buffer.from(pcm, 'base64');
    assert.equal(bytes.length, 8000);
    for (let i = k === 0 ? 30 : 0; i < 4000; i++) {
      const wanted = 32_767 * at(3 * (4000 * k + i) - 30);
      assert.ok(Math.abs(bytes.readInt16LE(2 * i) - wanted) < 200, `part ${k}, sample ${i}`);
    }
  }
});
