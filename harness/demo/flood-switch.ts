/** The flood of the demonstration, which is changed while all else runs. */
import { counted } from '../../core/counted.ts';
import { messageOf } from '../../core/errors.ts';
import type { PreparedService, RunningService, TrialContext } from '../services/service.ts';
import { noFlood, type Settings } from './settings.ts';

const off = 'no flood';

export class FloodSwitch {
  /** What really runs, as it was read back. */
  label = off;
  /** A flood ended by itself. */
  onDied: (reason: string) => void = () => {};
  readonly #prepared: Promise<PreparedService>;
  readonly #context: TrialContext;
  readonly #params: object;
  #running: RunningService | undefined;

  /** `prepared`: the service that floods; `params`: those beside congestion control and number of flows. */
  constructor(prepared: Promise<PreparedService>, context: TrialContext, params: object) {
    this.#prepared = prepared;
    this.#prepared.catch(() => {}); // told to whoever wants a flood
    this.#context = context;
    this.#params = params;
  }

  /**
   * Ends the flood that runs and starts another. Throws where it does not start, or is not what was asked for; then
   * there is none.
   */
  async set({ flood: congestionControl, flows }: Pick<Settings, 'flood' | 'flows'>): Promise<void> {
    await this.stop();
    if (congestionControl === noFlood) return;
    const flood = await (await this.#prepared).open(this.#context, {
      ...this.#params,
      congestionControl,
      flows,
    } as never);
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
