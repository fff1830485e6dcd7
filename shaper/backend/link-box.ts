/** The link of a study: forms each condition's link with the backend that can, one at a time, and takes it off again. */
import { pick } from '../../harness/base/plugins.ts';
import type { BackendId, Link } from '../../harness/base/link.ts';
import type { AqmPlugin } from '../aqm/aqm.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { Dumbbell } from '../topology/dumbbell.ts';
import type { LinkBackend, LinkCounters, QueueLogEnd } from './backend.ts';
import type { Capabilities } from './capabilities.ts';
import { chooseBackend } from './choose.ts';
import { EmulatedLink } from './emulated-link.ts';
import { clearKernelLink, KernelLink } from './kernel-link.ts';
import { settleWays } from './settle-ways.ts';

export class LinkBox {
  readonly #dumbbell: Dumbbell;
  readonly #aqms: ReadonlyMap<string, AqmPlugin>;
  readonly #can: Capabilities;
  #backend: LinkBackend | undefined;

  constructor(dumbbell: Dumbbell, aqms: ReadonlyMap<string, AqmPlugin>, can: Capabilities) {
    this.#dumbbell = dumbbell;
    this.#aqms = aqms;
    this.#can = can;
  }

  /**
   * Forms a link anew: empty queue, counters at zero, random numbers at their start. `log`: file for the queue log, which
   * is written where the machine can. Returns what forms the link.
   */
  async set(link: Link, seed: number, { log: wanted }: { log?: string } = {}): Promise<BackendId> {
    await this.clear();
    const aqm = pick(this.#aqms, link.aqm.id, 'AQM');
    const id = await chooseBackend(link, aqm, this.#can);
    const params = link.aqm.params as never;
    const log = wanted !== undefined && (id === 'emulator' || await this.#can.queueLog() === null) ? wanted : undefined;
    this.#backend = id === 'emulator' ? await EmulatedLink.form(this.#dumbbell, link, aqm.emulate(params)!, seed, { log })
      : await KernelLink.form(this.#dumbbell, link, aqm.tc(params, aqmLimit(link))!, seed, { line: id === 'tc+line', log });
    await settleWays(this.#backend, link, this.#dumbbell);
    return id;
  }

  /** Rejects when a part of the present link gives up. */
  get failed(): Promise<never> {
    return this.#present().failed;
  }

  start(): Promise<void> {
    return this.#present().start();
  }

  verify(): Promise<void> {
    return this.#present().verify();
  }

  counters(): Promise<LinkCounters> {
    return this.#present().counters();
  }

  /** Ends the queue log; packets may no longer pass after it. Null where there is none. */
  endLog(): Promise<QueueLogEnd | null> {
    return this.#backend === undefined ? Promise.resolve(null) : this.#backend.endLog();
  }

  async clear(): Promise<void> {
    const backend = this.#backend;
    this.#backend = undefined;
    if (backend !== undefined) await backend.clear();
    else await clearKernelLink(this.#dumbbell);
  }

  #present(): LinkBackend {
    if (this.#backend === undefined) throw new Error('no link is set');
    return this.#backend;
  }
}
