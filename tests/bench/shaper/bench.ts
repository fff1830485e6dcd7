/** What the rows are measured on: the four hosts and the tc bottleneck. */
import { Lease } from '../../../harness/base/lease.ts';
import type { PreflightBed, PreflightLink } from '../../../shaper/calibrate/link.ts';
import type { LinkBox } from '../../../shaper/backend/link-box.ts';
import { preflightLink } from '../../../shaper/backend/preflight-link.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { boxOf, tcLink } from '../../e2e/support/links.ts';

export class Bench {
  readonly dumbbell: Dumbbell;
  readonly box: LinkBox;
  readonly bed: PreflightBed;
  readonly #lease: Lease;

  private constructor(lease: Lease, dumbbell: Dumbbell) {
    this.#lease = lease;
    this.dumbbell = dumbbell;
    this.box = boxOf(dumbbell);
    this.bed = { hosts: dumbbell.hosts, addresses: dumbbell.addresses, scratch: lease.scratch };
  }

  static async build(): Promise<Bench> {
    const lease = Lease.open();
    try {
      return new Bench(lease, await Dumbbell.build(lease));
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  async remove(): Promise<void> {
    await this.dumbbell.remove();
    this.#lease.release();
  }

  link(rateBps: number, limitPackets: number, lossRatio = 0, seed = 1): PreflightLink {
    return preflightLink(this.box, tcLink(rateBps, { unit: 'packets', value: limitPackets }, lossRatio), 'tc', seed, this.bed.addresses);
  }
}
