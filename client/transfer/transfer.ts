/** Page of a file transfer. A worker fetches the data, and the page passes the worker's reports to the harness. */
import { timeMs } from '../page-clock.ts';
import { TimerLateness } from '../timer-lateness.ts';
import type { TransferApi, TransferBatch, TransferNews } from '../wire.ts';

const lateness = new TimerLateness();
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
let receivedBytes = 0;
let batches: TransferBatch[] = [];
let failure: string | null = null;

worker.addEventListener('message', ({ data }: MessageEvent<TransferNews>) => {
  receivedBytes = data.receivedBytes;
  batches.push(...data.batches);
  failure ??= data.failure;
});
worker.addEventListener('error', event => {
  failure ??= event.message;
});

const api: TransferApi = {
  timeMs,
  start: order => worker.postMessage(order),
  drain() {
    const drained = {
      timeMs: timeMs(),
      receivedBytes,
      batches,
      failure,
      mainThreadDelayMaxMs: lateness.take(),
      visible: document.visibilityState === 'visible',
    };
    batches = [];
    return drained;
  },
};
Object.assign(globalThis, { coexist: api });
