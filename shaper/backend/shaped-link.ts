/**
 * The link of a study: chooses a backend for the link of each condition, forms the link, and removes it before the next
 * one.
 */
import { CoexistError } from '../../core/errors.ts';
import { boundOf } from '../../core/plugins.ts';
import { type BackendId, inDirection, type Link, withoutChance } from '../../core/vocabulary/link.ts';
import type { ShellQueue } from '../aqm/aqm.ts';
import type { Aqm, BoundAqm } from '../aqm/bound-aqm.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { Topology } from '../topology/topology.ts';
import type { LinkBackend, LinkChange, LinkCounters } from './backend.ts';
import type { Capabilities } from './capabilities.ts';
import { aqmsOf, chooseBackend, type LinkAqms, leafOf } from './choose.ts';
import { EmulatedLink } from './emulated-link.ts';
import { clearKernelLink, KernelLink, type Leaves } from './kernel-link.ts';
import { MahimahiLink, type ShellQueues } from './mahimahi-link.ts';
import { OutsideLink } from './outside-link.ts';
import { inWholeMs, isNormalised, plainUpMs, settledUpMs, type UpDelays, withUpMs } from './settle-paths.ts';

/** Returns a key of all properties that determine the delays of a normalised link. Random delays are excluded. */
function settledKey({ rateBps, bytes, up, paths, further = [] }: Link, id: BackendId): string {
  return JSON.stringify([
    id,
    rateBps,
    up?.rateBps ?? null,
    bytes,
    further.map(hop => [hop.rateBps, hop.up?.rateBps ?? null]),
    ...Object.entries(paths).map(([name, { downMs, upMs, rttMs }]) => [name, downMs, upMs, rttMs]),
  ]);
}

/** Returns the queues of a link that a kernel shaper can form. */
function leavesOf(link: Link, { down, up }: LinkAqms): Leaves {
  return { down: leafOf(link, down)!, up: up === null ? null : leafOf(inDirection(link, 'up'), up)! };
}

/** Returns the queues of a link that mm-link can form. */
function shellQueuesOf({ down, up }: LinkAqms): ShellQueues {
  return { down: down.shell as ShellQueue, up: (up?.shell ?? null) as ShellQueue | null };
}

export class ShapedLink {
  readonly #topology: Topology;
  readonly #aqms: ReadonlyMap<string, Aqm>;
  readonly #can: Capabilities;
  #backend: LinkBackend | undefined;
  /** True if the devices certainly have no part of a link, so that `clear` can be skipped. */
  #isClear = false;
  /** Link that the backend forms now. */
  #link: Link | undefined;
  readonly #settled = new Map<string, UpDelays>();

  constructor(topology: Topology, aqms: ReadonlyMap<string, Aqm>, can: Capabilities) {
    this.#topology = topology;
    this.#aqms = aqms;
    this.#can = can;
  }

  /**
   * Forms a new link with an empty queue, counters at zero, and random generators at their start. `log`: file for the
   * queue log, which is written if the machine can do so. Returns the backend.
   */
  async set(link: Link, seed: number, { log: wanted }: { log?: string } = {}): Promise<BackendId> {
    const aqms = aqmsOf(link, this.#aqms);
    const id = await chooseBackend(link, aqms, this.#can);
    const hasLog =
      id === 'emulator' || id === 'mahimahi' || (id !== 'outside' && (await this.#can.queueLog()) === null);
    const log = hasLog ? wanted : undefined;
    await this.#settle(link, id, aqms);
    await this.#form(link, id, aqms, seed, log);
    await this.#present().setPaths(this.pathsOf(link, id));
    return id;
  }

  /**
   * Returns the paths of `link` with delays for the backend `id`: the settled delays if `link` was set before,
   * otherwise the requested ones.
   */
  pathsOf(link: Link, id: BackendId): Link['paths'] {
    return withUpMs(link.paths, this.#settled.get(settledKey(link, id)) ?? plainUpMs(link));
  }

  /**
   * Measures the delays of a link with a normalised round-trip time. Each such link is measured once, so that all its
   * trials have the same delays.
   */
  async #settle(link: Link, id: BackendId, aqms: LinkAqms): Promise<void> {
    const key = settledKey(link, id);
    if (!isNormalised(link) || this.#settled.has(key)) return;
    const idle = withoutChance(link);
    await this.#form(idle, id, aqms, 0, undefined);
    await this.#present().setPaths(withUpMs(idle.paths, plainUpMs(idle)));
    const settled = await settledUpMs(link, this.#topology);
    this.#settled.set(key, id === 'mahimahi' ? inWholeMs(settled) : settled);
  }

  async #form(link: Link, id: BackendId, aqms: LinkAqms, seed: number, log: string | undefined): Promise<void> {
    if (!this.#isClear) await this.clear();
    this.#isClear = false;
    this.#backend = await this.#backendOf(link, id, aqms, seed, log);
    this.#link = link;
  }

  async #backendOf(
    link: Link,
    id: BackendId,
    aqms: LinkAqms,
    seed: number,
    log: string | undefined,
  ): Promise<LinkBackend> {
    if (id === 'outside') return OutsideLink.form(this.#topology, link);
    if (id === 'mahimahi') return new MahimahiLink(this.#topology, { link, queues: shellQueuesOf(aqms), log });
    if (id !== 'emulator') return KernelLink.form(id, this.#topology, link, leavesOf(link, aqms), seed, { log });
    const emulated = { down: aqms.down.emulated!, up: aqms.up?.emulated ?? null };
    return EmulatedLink.form(this.#topology, link, emulated, seed, { log });
  }

  /**
   * Changes the rate, limit or loss of the present link while it carries packets. Waiting packets and settled delays
   * stay. All counters continue, except those of the loss. Throws `link-refused` if the change is not possible.
   */
  async change(change: LinkChange): Promise<Link> {
    const backend = this.#present();
    const link = { ...this.#link!, ...change };
    if (link.trace !== null || link.schedule.length > 0)
      throw new CoexistError('link-refused', 'a link with a trace or a schedule cannot be changed by hand', {
        hint: 'leave out link.trace and link.schedule',
      });
    await backend.change(link, this.aqm(link.aqm));
    return (this.#link = link);
  }

  aqm(chosen: Link['aqm']): BoundAqm {
    return boundOf(this.#aqms, chosen, 'AQM');
  }

  /** Rejects when a part of the present link fails. */
  get failed(): Promise<never> {
    return this.#present().failed;
  }

  /** Readiness of the native program for the present link; null if only the kernel carries packets. */
  get readiness(): LinkBackend['readiness'] {
    return this.#present().readiness;
  }

  /** Traces that the present link follows; null if none. */
  get traces(): LinkBackend['traces'] {
    return this.#present().traces;
  }

  start(): Promise<number | null> {
    return this.#present().start();
  }

  verify(): Promise<void> {
    return this.#present().verify();
  }

  counters(): Promise<LinkCounters> {
    return this.#present().counters();
  }

  /** Ends the queue log; afterwards no packet may use the link. Returns null without a log. */
  endLog(): Promise<QueueLogEnd | null> {
    return this.#backend === undefined ? Promise.resolve(null) : this.#backend.endLog();
  }

  /** Removes the link of any run from the devices. */
  async clear(): Promise<void> {
    const backend = this.#backend;
    this.#backend = undefined;
    this.#isClear = false;
    if (backend !== undefined) await backend.clear();
    else await clearKernelLink(this.#topology);
    this.#isClear = true;
  }

  #present(): LinkBackend {
    if (this.#backend === undefined) throw new Error('no link is set');
    return this.#backend;
  }
}
