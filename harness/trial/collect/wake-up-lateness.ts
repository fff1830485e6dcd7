/**
 * A thread that only sleeps and measures how late it is woken: whether this machine keeps runnable threads from the
 * processor. The harness's own event loop cannot measure that, because it waits for the first instruction of every
 * program that it starts, and each reading starts a few.
 */
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Time between two wake-ups, ms. */
const tickMs = 5;

/**
 * What is shared with the thread, 64-bit: longest delay since it was last taken, and when it went to sleep, both in µs.
 */
const [longest, asleepSince, slots] = [0, 1, 2];

const nowUs = () => process.hrtime.bigint() / 1000n; // the same clock on every thread

export class WakeUpLateness {
  readonly #shared = new BigInt64Array(new SharedArrayBuffer(slots * 8));
  readonly #worker: Worker;

  constructor() {
    this.#worker = new Worker(fileURLToPath(import.meta.url), { workerData: this.#shared });
    this.#worker.unref();
  }

  /**
   * Longest delay of a wake-up since the last call, ms; a delay that is not over yet counts as far as it goes. 0 while
   * the thread starts.
   */
  take(): number {
    const since = Atomics.load(this.#shared, asleepSince);
    const delayUs = Atomics.exchange(this.#shared, longest, 0n);
    const pendingUs = since === 0n ? 0n : nowUs() - since - BigInt(tickMs * 1000);
    return Math.max(0, Number(delayUs > pendingUs ? delayUs : pendingUs) / 1000);
  }

  stop(): void {
    void this.#worker.terminate();
  }
}

function watch(shared: BigInt64Array): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const before = nowUs();
    Atomics.store(shared, asleepSince, before);
    Atomics.wait(never, 0, 0, tickMs);
    const delay = nowUs() - before - BigInt(tickMs * 1000);
    if (delay > Atomics.load(shared, longest)) Atomics.store(shared, longest, delay);
  }
}

if (!isMainThread && workerData instanceof BigInt64Array) watch(workerData);
