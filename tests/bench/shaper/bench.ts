/** What the rows are measured on: the four hosts and the tc bottleneck. */
import { Lease } from '../../../harness/base/lease.ts';
import type { PreflightBed, PreflightLink } from '../../../shaper/calibrate/link.ts';
import { Bottleneck } from '../../../shaper/tc/bottleneck.ts';
import type { BottleneckSpec } from '../../../shaper/tc/bottleneck.ts';
import { tcPreflightLink } from '../../../shaper/tc/preflight-link.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';

export class Bench {
  readonly dumbbell: Dumbbell;
  readonly bottleneck: Bottleneck;
  readonly bed: PreflightBed;
  readonly #lease: Lease;

  private constructor(lease: Lease, dumbbell: Dumbbell) {
    this.#lease = lease;
    this.dumbbell = dumbbell;
    this.bottleneck = new Bottleneck(dumbbell.hosts.router);
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
    const spec: BottleneckSpec = { rateBps, queue: { unit: 'packets', value: limitPackets }, lossRatio };
    return tcPreflightLink(this.bottleneck, spec, seed, this.bed.addresses);
  }
}
