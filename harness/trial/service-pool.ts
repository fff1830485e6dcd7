/**
 * A pool of services that stay ready for later trials. It keeps the most recently used ones, only a few because a clip
 * in memory takes a gigabyte. It never holds two services of one plug-in, because their servers would use the same port
 * of the same host.
 */

import { boundOf } from '../../core/plugins.ts';
import { isOverdue, within } from '../../core/system/deadline.ts';
import type { Lease } from '../../core/system/lease.ts';
import type { Network } from '../../core/system/network.ts';
import type { Application } from '../definition/applications.ts';
import type { Service } from '../services/bound-service.ts';
import type { Preparation, PreparedService, StudyContext } from '../services/service.ts';

export type ServicePoolOptions = {
  services: ReadonlyMap<string, Service>;
  network: Network;
  lease: Lease;
  headed: boolean;
  window?: StudyContext['window'];
  /** SHA-256 (hexadecimal) of the files that the study names, by absolute path. */
  files?: Readonly<Record<string, string>>;
  /** Number of services that stay ready. Default: 1. */
  keep?: number;
  /** Deadlines for preparing and closing a service, ms; tests set them. */
  deadlines?: typeof usualDeadlines;
};

/** Deadlines, ms. They are longer than the services' own deadlines, so a service that misses them has failed. */
const usualDeadlines = { prepareMs: 180_000, closeMs: 30_000 };

type Ready = { id: string; key: string; preparation: Preparation };

export class ServicePool {
  readonly #options: ServicePoolOptions;
  /** Ready services in the order of their last use; the most recently used is last. */
  #ready: Ready[] = [];

  constructor(options: ServicePoolOptions) {
    this.#options = options;
  }

  async get({ service: chosen }: Pick<Application, 'service'>): Promise<PreparedService> {
    const { id } = chosen;
    const { services, network, lease, headed, window, files = {}, keep = 1 } = this.#options;
    const service = boundOf(services, chosen, 'service');
    const key = service.preparationKey;
    const same = this.#ready.find(entry => entry.id === id);
    this.#ready = this.#ready.filter(entry => entry !== same);
    if (same?.key === key) {
      this.#ready.push(same);
      return service.use(same.preparation);
    }
    if (same !== undefined) await this.#close(same);
    while (this.#ready.length >= keep) await this.#close(this.#ready.shift()!);
    const context = { network, scratch: lease.scratch, headed, files, ...(window === undefined ? {} : { window }) };
    const preparing = service.prepare(context);
    const preparation = await within(preparing, this.#deadlines.prepareMs, `service ${id} to be prepared`, {
      code: 'service-failed',
    }).catch(error => {
      if (isOverdue(error)) void preparing.then(late => late.close()).catch(() => {});
      throw error;
    });
    this.#ready.push({ id, key, preparation });
    return service.use(preparation);
  }

  async close(): Promise<void> {
    const ready = this.#ready;
    this.#ready = [];
    const results = await Promise.allSettled(ready.map(one => this.#close(one)));
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure !== undefined) throw failure.reason;
  }

  get #deadlines(): typeof usualDeadlines {
    return this.#options.deadlines ?? usualDeadlines;
  }

  #close({ id, preparation }: Ready): Promise<void> {
    return within(preparation.close(), this.#deadlines.closeMs, `service ${id} to be closed`, {
      code: 'service-failed',
    });
  }
}
