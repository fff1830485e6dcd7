/**
 * A bottleneck in the kernel, on a device of the router: a shaper (shapers.ts) and the queue below the shaper.
 *
 * tc counts Ethernet frames without checksum. If the link counts IP packets, a size table subtracts the header.
 */

import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import type { KernelShaper } from '../../core/vocabulary/backends.ts';
import { type Link, overheadBytes } from '../../core/vocabulary/link.ts';
import { type Qdisc, qdiscsOf } from './json.ts';
import { handles, type Leaf, limitOf, shapers } from './shapers.ts';

/** Counters of the queue since `set`. */
export type QueueCounters = {
  sentBytes: number;
  sentPackets: number;
  /** Packets dropped for any reason: overflow and AQM. */
  droppedPackets: number;
  /** Packets marked instead of dropped; 0 if the queue does not count them. */
  markedPackets: number;
  backlogBytes: number;
  backlogPackets: number;
};

export class Bottleneck {
  readonly #router: Host;
  readonly #device: string;
  #set: { link: Pick<Link, 'rateBps' | 'bytes'>; leaf: Leaf; shaper: KernelShaper } | undefined;

  constructor(router: Host, device: string) {
    this.#router = router;
    this.#device = device;
  }

  /** Sets a new bottleneck with an empty queue and counters at zero. */
  async set(link: Pick<Link, 'rateBps' | 'bytes'>, leaf: Leaf, shaper: KernelShaper): Promise<void> {
    await this.clear();
    const table = link.bytes === 'ethernet' ? '' : `stab overhead -${overheadBytes.ethernet} linklayer ethernet `;
    await this.#router.run(['tc', '-batch', '-'], {
      input: shapers[shaper].set(this.#device, link.rateBps, leaf, table).join('\n'),
      code: 'missing-kernel-feature',
      hint: `the bottleneck needs the kernel's queue disciplines ${shaper} and ${leaf.kind}; "npm run doctor" tells more`,
    });
    this.#set = { link, leaf, shaper };
  }

  /** Changes the rate and the limit. The queue keeps every packet, even above the new limit. */
  async change(link: Pick<Link, 'rateBps' | 'bytes'>, leaf: Leaf): Promise<void> {
    if (this.#set === undefined) throw new Error('change: no link is set');
    const {
      link: before,
      leaf: { kind },
      shaper,
    } = this.#set;
    if (leaf.kind !== kind) {
      throw new CoexistError('link-refused', `a ${kind} queue cannot become a ${leaf.kind} while packets wait in it`, {
        hint: 'keep the unit of its limit',
      });
    }
    const rate = shapers[shaper].changeRate(this.#device, link.rateBps, leaf);
    if (rate === null && link.rateBps !== before.rateBps)
      throw new CoexistError('link-refused', `${shaper} cannot change its rate while packets wait`, {
        hint: 'let another backend form the link',
      });
    const input = [
      ...(rate === null ? [] : [rate]),
      shapers[shaper].changeQueue(this.#device, link.rateBps, leaf),
    ].join('\n');
    await this.#router.run(['tc', '-batch', '-'], { input, code: 'link-refused' });
    this.#set = { link, leaf, shaper };
  }

  async clear(): Promise<void> {
    const present = await this.#qdiscs();
    if (present.some(q => q.root === true && q.kind in shapers))
      await this.#router.run(['tc', 'qdisc', 'del', 'dev', this.#device, 'root']);
    this.#set = undefined;
  }

  async counters(): Promise<QueueCounters> {
    const leaf = (await this.#qdiscs()).find(q => q.handle === handles.leaf);
    if (leaf === undefined)
      throw new CoexistError('link-refused', 'the bottleneck queue is gone: somebody removed it during the trial');
    return {
      sentBytes: leaf.bytes ?? 0,
      sentPackets: leaf.packets ?? 0,
      droppedPackets: leaf.drops ?? 0,
      markedPackets: leaf.ecn_mark ?? 0,
      backlogBytes: leaf.backlog ?? 0,
      backlogPackets: leaf.qlen ?? 0,
    };
  }

  /**
   * Reads the settings back from the kernel. Throws `link-refused` with the reading if they differ from the requested
   * ones.
   */
  async verify(): Promise<void> {
    if (this.#set === undefined) throw new Error('verify: no link is set');
    const { link, leaf, shaper } = this.#set;
    const { queueKind, readRate } = shapers[shaper];
    const qdiscs = await this.#qdiscs();
    const refuse = (what: string) => new CoexistError('link-refused', `the link is not what was asked for: ${what}`);
    const root = qdiscs.find(q => q.root === true);
    const found = qdiscs.find(q => q.handle === handles.leaf);
    if (root?.kind !== shaper)
      throw refuse(`the root queue discipline of ${this.#device} is ${root?.kind ?? 'missing'}, not ${shaper}`);
    const limit = limitOf(leaf);
    const limitDiffers = limit !== undefined && found?.options?.limit !== limit;
    if (found?.kind !== queueKind(leaf) || limitDiffers) {
      throw refuse(
        `the queue is ${found === undefined ? 'missing' : `${found.kind} with limit ${found.options?.limit}`}, ` +
          `not ${queueKind(leaf)} with ${limit}`,
      );
    }
    const rateBps = await readRate(this.#router, this.#device, root);
    if (rateBps === undefined || Math.abs(rateBps / link.rateBps - 1) > 0.001)
      throw refuse(`${shaper} has the rate ${rateBps} bit/s, not ${link.rateBps}`);
  }

  #qdiscs(): Promise<Qdisc[]> {
    return qdiscsOf(this.#router, this.#device);
  }
}
