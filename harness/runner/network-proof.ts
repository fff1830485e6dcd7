/**
 * Proves that the hosts of a trial are connected as they should be. Routes can be learnt while packets pass, so those of
 * the hosts in use are proved before each trial; nothing in a study changes offloads, which are proved once.
 */
import { realClock } from '../../core/clock.ts';
import type { Clock } from '../../core/clock.ts';
import type { NetworkReading } from '../record/trial-file.ts';
import type { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import type { HostsBehind } from '../../shaper/topology/behind.ts';

type Checked = { checkOffloads(): Promise<void> };

export class NetworkProof {
  readonly #dumbbell: Pick<Dumbbell, 'left' | 'right' | 'checkRoutes' | 'checkOffloads'>;
  readonly #clock: Clock;
  /** When the offloads were proved to be off, of the network and of hosts behind its ends. */
  readonly #offloadsMs = new WeakMap<Checked, number>();

  constructor(dumbbell: Pick<Dumbbell, 'left' | 'right' | 'checkRoutes' | 'checkOffloads'>, clock: Clock = realClock) {
    this.#dumbbell = dumbbell;
    this.#clock = clock;
  }

  /**
   * `places`: the pairs of hosts in use, from 0; `behind`: the hosts in use behind them. Throws `link-refused` with the
   * reading.
   */
  async of(places: readonly number[], behind: readonly Pick<HostsBehind, 'checkOffloads'>[]): Promise<NetworkReading> {
    const { left, right } = this.#dumbbell;
    const [, ...offloadsMs] = await Promise.all([
      this.#dumbbell.checkRoutes(places),
      ...[this.#dumbbell, ...behind].map(part => this.#provedMs(part)),
    ]);
    return {
      hosts: places.flatMap(k => [left[k]!.host.name, right[k]!.host.name]),
      routesMs: this.#clock.nowMs(),
      offloadsMs: Math.min(...offloadsMs),
    };
  }

  async #provedMs(part: Checked): Promise<number> {
    const earlierMs = this.#offloadsMs.get(part);
    if (earlierMs !== undefined) return earlierMs;
    await part.checkOffloads();
    const timeMs = this.#clock.nowMs();
    this.#offloadsMs.set(part, timeMs);
    return timeMs;
  }
}
