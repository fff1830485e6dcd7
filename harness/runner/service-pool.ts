/** Services that are ready, the newest only: a clip in memory takes a gigabyte. */
import type { Lease } from '../base/lease.ts';
import type { Network } from '../base/network.ts';
import { pick } from '../base/plugins.ts';
import type { Condition } from '../experiment/conditions.ts';
import type { PreparedService, ServicePlugin } from '../services/service.ts';

export type ServicePoolOptions = { services: ReadonlyMap<string, ServicePlugin>; network: Network; lease: Lease; headed: boolean };

export class ServicePool {
  readonly #options: ServicePoolOptions;
  #current: { key: string; service: PreparedService } | undefined;

  constructor(options: ServicePoolOptions) {
    this.#options = options;
  }

  async get({ service: { id, params } }: Condition): Promise<PreparedService> {
    const { services, network, lease, headed } = this.#options;
    const plugin = pick(services, id, 'service');
    const key = `${id} ${plugin.preparationKey(params as never)}`;
    if (this.#current?.key === key) return this.#current.service;
    await this.close();
    const service = await plugin.prepare({ network, lease, scratch: lease.scratch, headed }, params as never);
    this.#current = { key, service };
    return service;
  }

  async close(): Promise<void> {
    await this.#current?.service.close();
    this.#current = undefined;
  }
}
