/** The flood of the demonstration, which is changed while all else runs. */
import { messageOf } from '../../core/errors.ts';
import type { FloodContext, FloodPlugin, RunningFlood } from '../floods/flood.ts';
import { noFlood } from './settings.ts';
import type { Settings } from './settings.ts';

const off = 'no flood';

export class FloodSwitch {
  /** What really runs, as it was read back. */
  label = off;
  /** A flood ended by itself. */
  onDied: (reason: string) => void = () => {};
  readonly #plugin: FloodPlugin;
  readonly #context: FloodContext;
  readonly #params: object;
  #running: RunningFlood | undefined;

  /** `params`: those beside congestion control and number of flows. */
  constructor(plugin: FloodPlugin, context: FloodContext, params: object) {
    this.#plugin = plugin;
    this.#context = context;
    this.#params = params;
  }

  /** Ends the flood that runs and starts another. Throws where it does not start, or is not what was asked for; then there is none. */
  async set({ flood: congestionControl, flows }: Pick<Settings, 'flood' | 'flows'>): Promise<void> {
    await this.stop();
    if (congestionControl === noFlood) return;
    const flood = await this.#plugin.start(this.#context, { ...this.#params, congestionControl, flows } as never);
    if (flood === null) return;
    this.#running = flood;
    flood.failed.catch((error: unknown) => {
      if (this.#running !== flood) return;
      void this.stop().catch(() => {});
      this.onDied(messageOf(error));
    });
    try {
      const { label, flows: running } = await flood.read();
      this.label = `${label}, ${running.length} ${running.length === 1 ? 'flow' : 'flows'}`;
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
    await this.#running?.sample().catch(() => {});
  }

  async stop(): Promise<void> {
    const flood = this.#running;
    this.#running = undefined;
    this.label = off;
    await flood?.stop();
  }
}
