/**
 * Measures how late a sleeping thread is woken. The lateness shows if the machine keeps threads from the processor that
 * could run. The harness's event loop cannot measure it, since it waits for the first instruction of every program that
 * it starts, and each reading starts a few.
 */
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Interval of wake-ups, ms. */
const tickMs = 5;

/**
 * Indices of the two 64-bit values shared with the thread, both in µs: the longest delay since the last `take`, and the
 * time at which the thread went to sleep.
 */
const [longest, asleepSince, slots] = [0, 1, 2];

const nowUs = () => process.hrtime.bigint() / 1000n; // the same clock in every thread

export class WakeUpLateness {
  readonly #shared = new BigInt64Array(new SharedArrayBuffer(slots * 8));
  readonly #worker: Worker;

  constructor() {
    this.#worker = new Worker(fileURLToPath(import.meta.url), { workerData: this.#shared });
    this.#worker.unref();
  }

  /**
   * Returns the longest delay of a wake-up since the last call, ms. A delay that has not ended counts up to now. 0
   * until the thread runs.
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
