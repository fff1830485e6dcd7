/** The product's own network and link for the bench, with BBRv3 loaded; all of it is gone when it is closed. */

import { Lease } from '../../../core/system/lease.ts';
import { localHost } from '../../../core/system/local-host.ts';
import { type Link, payloadBps, plainLink } from '../../../core/vocabulary/link.ts';
import { loadAqms } from '../../../shaper/aqm/bound-aqm.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { ShapedLink } from '../../../shaper/backend/shaped-link.ts';
import { type HeldBbr3, holdBbr3 } from '../../../shaper/bbr3/loader.ts';
import type { Bbr3Budget, Bbr3Identity } from '../../../shaper/bbr3/telemetry.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import type { TwoSenders } from '../../e2e/support/two-senders.ts';

export class BenchNetwork {
  readonly identity: Bbr3Identity;
  readonly dumbbell: TwoSenders;
  readonly link: ShapedLink;
  /** Folder that is gone when the network is closed. */
  readonly scratch: string;
  readonly #lease: Lease;
  readonly #held: HeldBbr3;

  private constructor(lease: Lease, dumbbell: TwoSenders, link: ShapedLink, held: HeldBbr3) {
    this.#lease = lease;
    this.#held = held;
    this.scratch = lease.scratch;
    this.dumbbell = dumbbell;
    this.link = link;
    this.identity = held.identity;
  }

  static async open(budget: Bbr3Budget = 'draft'): Promise<BenchNetwork> {
    const lease = Lease.open();
    let dumbbell: TwoSenders | undefined;
    try {
      dumbbell = await Dumbbell.build(lease, twoSenders);
      const aqms = await loadAqms();
      const link = new ShapedLink(dumbbell, aqms, probeCapabilities());
      return new BenchNetwork(lease, dumbbell, link, await holdBbr3(localHost, budget));
    } catch (error) {
      await dumbbell?.remove();
      lease.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.link.clear().catch(() => {});
    await this.dumbbell.remove();
    await this.#held.release();
    this.#lease.release();
  }
}

/** Bytes of a frame and of the TCP payload in it, full-sized. */
export const frameBytes = 1514;
export const payloadBytes = 1448;

/** A FIFO behind a rate, with a base round-trip time for the flood. */
export function benchLink(rateBps: number, rttMs: number, queuePackets: number): Link {
  const link = plainLink(rateBps, { unit: 'packets', value: queuePackets });
  return { ...link, paths: { ...link.paths, other: { ...link.paths.other!, downMs: rttMs / 2, upMs: rttMs / 2 } } };
}

/** Packets that fill the path. */
export function bdpPackets(link: Link): number {
  const { downMs, upMs } = link.paths.other!;
  return (link.rateBps * (downMs + upMs)) / 8000 / frameBytes;
}

/** The most TCP payload that a link carries, bit/s. */
export function ceilingBps({ rateBps }: Pick<Link, 'rateBps'>): number {
  return payloadBps({ rateBps, bytes: 'ethernet' });
}
