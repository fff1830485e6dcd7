/**
 * Services that are ready, the newest few only: a clip in memory takes a gigabyte. Never two of one plug-in: their
 * servers would listen on one port of one host.
 */
import type { Lease } from '../../core/lease.ts';
import type { Network } from '../../core/network.ts';
import { pick } from '../../core/plugins.ts';
import type { Application } from '../experiment/applications.ts';
import type { PreparedService, ServicePlugin } from '../services/service.ts';

export type ServicePoolOptions = {
  services: ReadonlyMap<string, ServicePlugin>;
  network: Network;
  lease: Lease;
  headed: boolean;
  /** How many stay ready; 1 where not said. */
  keep?: number;
};

export class ServicePool {
  readonly #options: ServicePoolOptions;
  /** The one used last comes last. */
  #ready: { id: string; key: string; service: PreparedService }[] = [];

  constructor(options: ServicePoolOptions) {
    this.#options = options;
  }

  async get({ service: { id, params } }: Pick<Application, 'service'>): Promise<PreparedService> {
    const { services, network, lease, headed, keep = 1 } = this.#options;
    const plugin = pick(services, id, 'service');
    const key = plugin.preparationKey(params as never);
    const same = this.#ready.find(entry => entry.id === id);
    this.#ready = this.#ready.filter(entry => entry !== same);
    if (same?.key === key) {
      this.#ready.push(same);
      return same.service;
    }
    await same?.service.close();
    while (this.#ready.length >= keep) await this.#ready.shift()!.service.close();
    const service = await plugin.prepare({ network, lease, scratch: lease.scratch, headed }, params as never);
    this.#ready.push({ id, key, service });
    return service;
  }

  async close(): Promise<void> {
    const ready = this.#ready;
    this.#ready = [];
    await Promise.all(ready.map(({ service }) => service.close()));
  }
}
