/**
 * The link of a study: forms each condition's link with the backend that can, one at a time, and takes it off again.
 */
import { CoexistError } from '../../core/errors.ts';
import { pick } from '../../core/plugins.ts';
import { type BackendId, inDirection, type Link, withoutChance } from '../../core/vocabulary/link.ts';
import type { AqmPlugin } from '../aqm/aqm.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { Topology } from '../topology/topology.ts';
import type { LinkBackend, LinkChange, LinkCounters } from './backend.ts';
import type { Capabilities } from './capabilities.ts';
import { aqmsOf, chooseBackend, type LinkAqms, leafOf } from './choose.ts';
import { EmulatedLink } from './emulated-link.ts';
import { clearKernelLink, KernelLink, type Leaves } from './kernel-link.ts';
import { isNormalised, plainUpMs, settledUpMs, type UpDelays, withUpMs } from './settle-paths.ts';

/** What decides on the delays of a normalised link, apart from what is random. */
function settledKey({ rateBps, bytes, up, paths }: Link, id: BackendId): string {
  return JSON.stringify([
    id,
    rateBps,
    up?.rateBps ?? null,
    bytes,
    ...Object.entries(paths).map(([name, { downMs, upMs, rttMs }]) => [name, downMs, upMs, rttMs]),
  ]);
}

/** Of a link that a shaper of the kernel can form. */
function leavesOf(link: Link, { down, up }: LinkAqms): Leaves {
  return { down: leafOf(link, down)!, up: up === null ? null : leafOf(inDirection(link, 'up'), up)! };
}

export class ShapedLink {
  readonly #topology: Topology;
  readonly #aqms: ReadonlyMap<string, AqmPlugin>;
  readonly #can: Capabilities;
  #backend: LinkBackend | undefined;
  /** Whether no part of any link is left on the devices: what was cleared once is not cleared again. */
  #isClear = false;
  /** What the backend forms. */
  #link: Link | undefined;
  readonly #settled = new Map<string, UpDelays>();

  constructor(topology: Topology, aqms: ReadonlyMap<string, AqmPlugin>, can: Capabilities) {
    this.#topology = topology;
    this.#aqms = aqms;
    this.#can = can;
  }

  /**
   * Forms a link anew: empty queue, counters at zero, random numbers at their start. `log`: file for the queue log,
   * which is written where the machine can. Returns what forms the link.
   */
  async set(link: Link, seed: number, { log: wanted }: { log?: string } = {}): Promise<BackendId> {
    const aqms = aqmsOf(link, this.#aqms);
    const id = await chooseBackend(link, aqms, this.#can);
    const log =
      wanted !== undefined && (id === 'emulator' || (await this.#can.queueLog()) === null) ? wanted : undefined;
    await this.#settle(link, id, aqms);
    await this.#form(link, id, aqms, seed, log);
    await this.#present().setPaths(this.pathsOf(link, id));
    return id;
  }

  /** The delays of a link as its backend is told them: settled where it was set before, else as asked for. */
  pathsOf(link: Link, id: BackendId): Link['paths'] {
    return withUpMs(link.paths, this.#settled.get(settledKey(link, id)) ?? plainUpMs(link));
  }

  /** Measured once for each link whose round-trip time is normalised, so that all its trials have the same delays. */
  async #settle(link: Link, id: BackendId, aqms: LinkAqms): Promise<void> {
    const key = settledKey(link, id);
    if (!isNormalised(link) || this.#settled.has(key)) return;
    const idle = withoutChance(link);
    await this.#form(idle, id, aqms, 0, undefined);
    await this.#present().setPaths(withUpMs(idle.paths, plainUpMs(idle)));
    this.#settled.set(key, await settledUpMs(link, this.#topology));
  }

  async #form(link: Link, id: BackendId, aqms: LinkAqms, seed: number, log: string | undefined): Promise<void> {
    if (!this.#isClear) await this.clear();
    this.#isClear = false;
    const params = link.aqm.params as never;
    this.#backend =
      id === 'emulator'
        ? await EmulatedLink.form(
            this.#topology,
            link,
            { down: aqms.down.emulate(params)!, up: aqms.up?.emulate(link.up!.aqm.params as never) ?? null },
            seed,
            { log },
          )
        : await KernelLink.form(id, this.#topology, link, leavesOf(link, aqms), seed, { log });
    this.#link = link;
  }

  /**
   * Changes the rate, limit or loss of the present link while it carries packets. No waiting packet is flushed, and all
   * counters except those of the loss continue. Throws `link-refused` where that is not possible. Settled delays stay
   * as they are.
   */
  async change(change: LinkChange): Promise<Link> {
    const backend = this.#present();
    const link = { ...this.#link!, ...change };
    if (link.trace !== null || link.schedule.length > 0)
      throw new CoexistError('link-refused', 'a link with a trace or a schedule cannot be changed by hand', {
        hint: 'leave out link.trace and link.schedule',
      });
    await backend.change(link, this.aqm(link.aqm.id));
    return (this.#link = link);
  }

  /** The discipline of that name. */
  aqm(id: string): AqmPlugin {
    return pick(this.#aqms, id, 'AQM');
  }

  /** Rejects when a part of the present link gives up. */
  get failed(): Promise<never> {
    return this.#present().failed;
  }

  /** Of the program of ours that carries the packets of the present link; null where the kernel alone does. */
  get readiness(): LinkBackend['readiness'] {
    return this.#present().readiness;
  }

  /** What the traces are that the present link follows; null where it follows none. */
  get traces(): LinkBackend['traces'] {
    return this.#present().traces;
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

  /** Takes off what there is of a link, whoever put it there. */
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
