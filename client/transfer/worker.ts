/**
 * Worker that fetches data and discards it. It runs in a thread of its own because reading 50 Mbit/s takes half a core,
 * which must not delay the page.
 */
import { timeMs } from '../page-clock.ts';
import type { TransferBatch, TransferNews, TransferOrder } from '../wire.ts';

const newsMs = 100;

let receivedBytes = 0;
let batches: TransferBatch[] = [];
let failure: string | null = null;

async function take(url: string): Promise<void> {
  const response = await fetch(url, { cache: 'no-store' });
  if (!response.ok || response.body === null) throw new Error(`${url} was answered with ${response.status}`);
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    receivedBytes += value.byteLength;
  }
}

async function fetchBatches(urls: readonly string[], chunkBytes: number): Promise<never> {
  for (let number = 1; ; number++) {
    const startMs = timeMs();
    await Promise.all(urls.map(url => take(`${url}?length=${chunkBytes}`)));
    const endMs = timeMs();
    batches.push({ number, endMs, durationMs: endMs - startMs, bytes: urls.length * chunkBytes });
  }
}

async function fetchEndless(urls: readonly string[]): Promise<never> {
  await Promise.race(urls.map(take));
  throw new Error('the server ended a transfer that has no end');
}

addEventListener('message', ({ data: { urls, chunkBytes } }: MessageEvent<TransferOrder>) => {
  (chunkBytes === null ? fetchEndless(urls) : fetchBatches(urls, chunkBytes)).catch((error: unknown) => {
    failure = String(error);
  });
  setInterval(() => {
    postMessage({ receivedBytes, batches, failure } satisfies TransferNews);
    batches = [];
  }, newsMs);
});
