/** The flood of the demonstration, which is changed while all else runs. */
import { counted } from '../../core/counted.ts';
import { messageOf } from '../../core/errors.ts';
import type { BoundService } from '../services/bound-service.ts';
import type { Preparation, RunningService, TrialContext } from '../services/service.ts';
import { noFlood, type Settings } from './settings.ts';

/** The service that floods, with these of its parameters. */
type FloodService = (change: { congestionControl: string; flows: number }) => Pick<BoundService, 'use'>;

const off = 'no flood';

export class FloodSwitch {
  /** What really runs, as it was read back. */
  label = off;
  /** A flood ended by itself. */
  onDied: (reason: string) => void = () => {};
  readonly #prepared: Promise<Preparation>;
  readonly #context: TrialContext;
  readonly #service: FloodService;
  #running: RunningService | undefined;

  constructor(prepared: Promise<Preparation>, context: TrialContext, service: FloodService) {
    this.#prepared = prepared;
    this.#prepared.catch(() => {}); // told to whoever wants a flood
    this.#context = context;
    this.#service = service;
  }

  /**
   * Ends the flood that runs and starts another. Throws where it does not start, or is not what was asked for; then
   * there is none.
   */
  async set({ flood: congestionControl, flows }: Pick<Settings, 'flood' | 'flows'>): Promise<void> {
    await this.stop();
    if (congestionControl === noFlood) return;
    const service = this.#service({ congestionControl, flows });
    const flood = await service.use(await this.#prepared).open(this.#context);
    this.#running = flood;
    flood.failed.catch((error: unknown) => {
      if (this.#running !== flood) return;
      void this.stop().catch(() => {});
      this.onDied(messageOf(error));
    });
    try {
      await flood.collect();
      const reading = flood.transport();
      if (reading === null) return;
      this.label = `${reading.label}, ${counted(reading.flows.length, 'flow')}`;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  get isOn(): boolean {
    return this.#running !== undefined;
  }

  /** Reads its sockets. One that is just ending has nothing to say. */
  async sample(): Promise<void> {
    await this.#running?.collect().catch(() => {});
  }

  async stop(): Promise<void> {
    const flood = this.#running;
    this.#running = undefined;
    this.label = off;
    await flood?.stop();
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    await this.stop();
    await (await this.#prepared).close();
  }
}
