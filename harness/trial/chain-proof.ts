/** Proves each bottleneck of a link by itself, while the others of the row are open. */
import { bottleneckName, hopsOf } from '../../core/vocabulary/hops.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import { type LinkChain, seedAt } from '../../shaper/backend/link-chain.ts';
import type { Exchange } from '../../shaper/calibrate/exchange.ts';
import { summariseReadings } from '../../shaper/calibrate/format.ts';
import { judge } from '../../shaper/calibrate/judge.ts';
import { atHop } from '../../shaper/calibrate/readings.ts';
import type { TestNetwork } from '../../shaper/topology/topology.ts';
import { LinkProof, type Proof } from './link-proof.ts';

export class ChainProof {
  readonly #chain: LinkChain;
  /** Proofs of the bottlenecks on each router, in the order of the row. */
  readonly #proofs: readonly LinkProof[];

  /** `exchange`: see `LinkProof`. */
  constructor(chain: LinkChain, { hops }: Pick<TestNetwork, 'hops'>, scratch: string, exchange?: Exchange) {
    this.#chain = chain;
    this.#proofs = hops.map((topology, k) => new LinkProof(chain.hops[k]!, topology, scratch, exchange));
  }

  /** Proves a link. Afterwards the caller has to set the link again. */
  async of(
    link: Link,
    seed: number,
    { onStart, signal }: { onStart: () => void; signal: AbortSignal },
  ): Promise<Proof> {
    let isTold = false;
    const tell = () => {
      if (!isTold) onStart();
      isTold = true;
    };
    await this.#chain.settle(link);
    const links = hopsOf(link);
    const proofs: Proof[] = [];
    for (const [k, one] of links.entries()) {
      if (links.length > 1) await this.#chain.clear();
      proofs.push(await this.#proofs[k]!.of(one, seedAt(seed, k + 1), { onStart: tell, signal }));
    }
    return proofs.length === 1 ? proofs[0]! : together(proofs);
  }
}

/** Returns one proof for all bottlenecks, whose readings say of which one they are. */
function together(proofs: readonly Proof[]): Proof {
  const readings = proofs.flatMap(({ reading }, k) => reading.readings.map(one => atHop(one, k + 1)));
  const { status, findings } = judge(readings);
  return {
    reading: {
      status,
      summary: proofs
        .map(({ reading }, k) => `${bottleneckName({ hop: k + 1 })}: ${summariseReadings(reading.readings)}`)
        .join('; '),
      earlier: proofs.every(({ reading }) => reading.earlier),
      durationMs: proofs.reduce((sum, { reading }) => sum + reading.durationMs, 0),
      readings,
    },
    findings,
  };
}
