/**
 * Proves that the hosts of a trial are connected as intended. Hosts can learn routes while packets pass, so the routes
 * are checked before each trial. Nothing in a study changes offloads, so these are checked once.
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
  /** Time at which the offloads were found to be off, for the network and for each set of hosts behind its ends. */
  readonly #offloadsMs = new WeakMap<Checked, number>();

  constructor(network: Provable, clock: Clock = realClock) {
    this.#network = network;
    this.#clock = clock;
  }

  /**
   * Proves the connections of the hosts in use. `places`: indices of the pairs of hosts, from 0. `behind`: hosts behind
   * these pairs. Throws `link-refused` with the values that are wrong.
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
