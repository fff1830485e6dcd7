/**
 * Proves that the hosts of a trial are connected as intended. Routes can be learnt while packets pass, so the routes of
 * the hosts in use are checked before each trial. Nothing in a study changes offloads, so these are checked once.
 */
import { type Clock, realClock } from '../../core/system/clock.ts';
import type { HostsBehind } from '../../shaper/topology/behind.ts';
import type { TestNetwork } from '../../shaper/topology/topology.ts';
import type { NetworkReading } from '../record/trial-file.ts';

type Provable = Pick<TestNetwork, 'left' | 'right' | 'checkRoutes' | 'checkOffloads'>;
type Checked = { checkOffloads(): Promise<void> };

export class NetworkProof {
  readonly #network: Provable;
  readonly #clock: Clock;
  /** Time at which the offloads were found to be off: of the network, and of the hosts behind its ends. */
  readonly #offloadsMs = new WeakMap<Checked, number>();

  constructor(network: Provable, clock: Clock = realClock) {
    this.#network = network;
    this.#clock = clock;
  }

  /**
   * `places`: indices of the pairs of hosts in use, from 0. `behind`: hosts in use behind them. Throws `link-refused`
   * with the values that were read.
   */
  async of(places: readonly number[], behind: readonly Pick<HostsBehind, 'checkOffloads'>[]): Promise<NetworkReading> {
    const { left, right } = this.#network;
    const [, ...offloadsMs] = await Promise.all([
      this.#network.checkRoutes(places),
      ...[this.#network, ...behind].map(part => this.#provedMs(part)),
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
