/** A running file transfer, shared by `download` and `batch-download`. */
import type { TransferDrain, TransferOrder } from '../../../client/wire.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { ClockOffset } from '../../../core/system/clock.ts';
import { until } from '../../../core/system/deadline.ts';
import { serviceSeries } from '../../record/series/service.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { LiveValues, RunningService, StudyContext, TrialContext } from '../service.ts';
import type { CongestionParams } from './congestion-param.ts';
import { Goodput } from './goodput.ts';
import { patienceMs } from './patience.ts';
import { ServedPage } from './served-page.ts';
import { transferSchema } from './transfer-drain.ts';

/**
 * Time after which a transfer's rate is steady, ms. By then, slow start is over with every congestion control, and BBR
 * has made its first search for the shortest round-trip time, which comes within ten seconds.
 */
export const transferWarmUpMs = 12_000;

const firstBytesMs = 15_000;

export type TransferOptions = {
  name: string;
  congestion: CongestionParams;
  flows: number;
  /** Bytes that each connection fetches at a time. Null: without end. */
  chunkBytes: number | null;
  capBps: number | null;
};

export class Transfer implements RunningService {
  readonly failed: Promise<never>;
  readyMs = 0;
  readonly #page: ServedPage;
  readonly #trial: TrialContext;
  readonly #options: TransferOptions;
  /** Goodput of each client, by the client's index from 0. */
  readonly #goodput: Goodput[] = [];

  private constructor(page: ServedPage, trial: TrialContext, options: TransferOptions) {
    this.#page = page;
    this.#trial = trial;
    this.#options = options;
    this.failed = page.failed;
  }

  static async open(study: StudyContext, trial: TrialContext, options: TransferOptions): Promise<Transfer> {
    const { name, congestion, flows, capBps, chunkBytes } = options;
    const page = await ServedPage.open(study, trial, {
      name,
      congestion,
      origins: flows,
      protocol: 'http/1.1',
      width: 640,
      height: 360,
      program: new URL('./transfer-server.ts', import.meta.url),
      config: { capBps },
    });
    const transfer = new Transfer(page, trial, options);
    try {
      const order: TransferOrder = { urls: page.origins.map(origin => `${origin}/bytes`), chunkBytes };
      await page.start(order);
      await Promise.race([page.failed, transfer.#begun()]);
      return transfer;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  async collect(): Promise<LiveValues> {
    const rates = (await this.#drain()).map(({ timeMs, receivedBytes }, k) =>
      (this.#goodput[k] ??= new Goodput()).since(timeMs, receivedBytes),
    );
    return {
      framesPerSecond: null,
      goodputBps: rates.reduce((sum, { goodputBps }) => sum + goodputBps, 0),
      lost: false,
    };
  }

  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    return this.#page.clocks();
  }

  describe(): Record<string, unknown> {
    const { flows, chunkBytes, capBps } = this.#options;
    return { ...this.#page.describe(), flows, chunkBytes, capBps };
  }

  transport(): TransportReading | null {
    return this.#page.transport();
  }

  async stop(): Promise<void> {
    await this.#page.close();
  }

  async #begun(): Promise<void> {
    const { name } = this.#options;
    const first = await until(
      async () => {
        const drained = await this.#drain();
        return drained.every(({ receivedBytes }) => receivedBytes > 0) ? drained : undefined;
      },
      patienceMs(firstBytesMs, this.#trial, 'firstBytes'),
      `the first bytes of ${name}`,
      { code: 'service-failed', everyMs: 100 },
    );
    this.readyMs = Math.max(...first.map(({ timeMs }) => timeMs));
  }

  async #drain(): Promise<TransferDrain[]> {
    const { name, flows } = this.#options;
    const all = await this.#page.drain(transferSchema);
    for (const [k, { timeMs, receivedBytes, batches, failure, offsetMs }] of all.entries()) {
      const client = all.length === 1 ? {} : { client: k + 1 };
      const who = all.length === 1 ? name : `${name} of client ${k + 1}`;
      if (failure !== null) throw new CoexistError('service-failed', `${who} ended: ${failure}`);
      this.#trial.write(serviceSeries, { timeMs, kind: 'transfer', ...client, receivedBytes, flows });
      for (const { endMs, ...batch } of batches)
        this.#trial.write(serviceSeries, { timeMs: endMs + offsetMs, kind: 'batch', ...client, ...batch });
    }
    return all;
  }
}
