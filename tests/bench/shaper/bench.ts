/** What the rows are measured on: the four hosts and the bottleneck, by tc or by the emulator. */
import { Lease } from '../../../core/system/lease.ts';
import { preflightLink } from '../../../shaper/backend/preflight-link.ts';
import type { ShapedLink } from '../../../shaper/backend/shaped-link.ts';
import { probeExchange } from '../../../shaper/calibrate/exchange.ts';
import type { PreflightBed, PreflightLink } from '../../../shaper/calibrate/link.ts';
import type { Probing } from '../../../shaper/calibrate/steps.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import { shapedLinkOf, tcLink } from '../../e2e/support/links.ts';
import type { TwoSenders } from '../../e2e/support/two-senders.ts';

/** What forms the link of a row. */
export type BenchBackend = 'tc' | 'emulator';
export const benchBackends: readonly BenchBackend[] = ['tc', 'emulator'];

export class Bench {
  readonly dumbbell: TwoSenders;
  readonly shapedLink: ShapedLink;
  readonly bed: PreflightBed;
  readonly probing: Probing;
  readonly #lease: Lease;

  private constructor(lease: Lease, dumbbell: TwoSenders) {
    this.#lease = lease;
    this.dumbbell = dumbbell;
    this.shapedLink = shapedLinkOf(dumbbell);
    this.bed = { ...dumbbell, scratch: lease.scratch };
    this.probing = { bed: this.bed, exchange: probeExchange(this.bed) };
  }

  static async build(): Promise<Bench> {
    const lease = Lease.open();
    try {
      return new Bench(lease, await Dumbbell.build(lease, twoSenders));
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  async remove(): Promise<void> {
    await this.dumbbell.remove();
    this.#lease.release();
  }

  link(
    rateBps: number,
    limitPackets: number,
    { backend = 'tc', lossRatio = 0, seed = 1 }: { backend?: BenchBackend; lossRatio?: number; seed?: number } = {},
  ): PreflightLink {
    const link = { ...tcLink(rateBps, { unit: 'packets', value: limitPackets }, lossRatio), backend };
    return preflightLink(this.shapedLink, link, backend, seed, this.dumbbell);
  }
}
