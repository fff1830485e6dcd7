/**
 * Proves each link of a study once, with probes on the hosts of its trials. The result, proved or refused, holds for
 * all later trials on this link.
 */

import type { Scope } from '../../core/system/scope.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import { preflightLink } from '../../shaper/backend/preflight-link.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import type { Exchange } from '../../shaper/calibrate/exchange.ts';
import { summariseReadings } from '../../shaper/calibrate/format.ts';
import { type PreflightResult, runPreflight, together } from '../../shaper/calibrate/preflight.ts';
import type { Topology } from '../../shaper/topology/topology.ts';
import type { Finding, PreflightReading } from '../record/trial-file.ts';

/** Result for a link, kept for later trials on it. */
export type Proof = { readonly reading: PreflightReading; readonly findings: readonly Finding[] };

/** Maximum number of kinds of path that are proved; each takes another second. */
const mostKinds = 4;

/**
 * Topology with only those senders whose paths are proved: the first sender of each kind of path (at most `mostKinds`),
 * and at least two senders if the topology has them.
 */
function witnesses({ paths }: Link, { left, right, ...rest }: Topology): Topology {
  const kind = ({ host: { name } }: Topology['left'][number]) => JSON.stringify(paths[name]);
  const first = left.filter((sender, k) => left.findIndex(other => kind(other) === kind(sender)) === k);
  const chosen = [...first, ...left.filter(sender => !first.includes(sender))].slice(
    0,
    Math.max(2, Math.min(mostKinds, first.length)),
  );
  return { ...rest, left: left.filter(sender => chosen.includes(sender)), right };
}

export class LinkProof {
  readonly #shapedLink: ShapedLink;
  readonly #topology: Topology;
  readonly #scratch: string;
  readonly #exchange: Exchange | undefined;
  readonly #proved = new Map<string, Proof>();

  /** `exchange`: sends the probes; default: the native probe. For tests. */
  constructor(shapedLink: ShapedLink, topology: Topology, scratch: string, exchange?: Exchange) {
    this.#shapedLink = shapedLink;
    this.#topology = topology;
    this.#scratch = scratch;
    this.#exchange = exchange;
  }

  /**
   * Proves the link, which has to be set again afterwards. Null if the link cannot be measured: a link that follows a
   * trace has no rate.
   */
  async of(
    link: Link,
    seed: number,
    { onStart, signal }: { onStart: () => void; signal: AbortSignal },
  ): Promise<Proof | null> {
    if (link.trace !== null || (link.up !== null && link.up.trace !== null)) return null;
    const key = JSON.stringify(link);
    const earlier = this.#proved.get(key);
    if (earlier !== undefined) return { ...earlier, reading: { ...earlier.reading, earlier: true } };
    onStart();
    const { router, left, right, rightNetwork, bottleneckDevice, behindBottleneck } = this.#topology;
    const seen = witnesses(link, { router, left, right, rightNetwork, bottleneckDevice, behindBottleneck });
    const backend = await this.#shapedLink.set(link, seed);
    const results: PreflightResult[] = [];
    for (const direction of ['down', ...(link.up === null ? [] : (['up'] as const))] as const) {
      results.push(
        await runPreflight(
          preflightLink(this.#shapedLink, link, backend, seed, seen, direction),
          { ...seen, scratch: this.#scratch },
          this.#exchange === undefined ? { signal } : { signal, exchange: this.#exchange },
        ),
      );
    }
    const { status, findings, readings, durationMs } = together(results);
    const proof: Proof = {
      reading: { status, summary: summariseReadings(readings), earlier: false, durationMs, readings },
      findings,
    };
    if (status !== 'disturbed') this.#proved.set(key, proof);
    return proof;
  }
}

/** Waits for a proof as a step of a trial. If the trial is given up, waits until no probe is left on the link. */
export async function awaitProof(proving: Promise<Proof | null>, scope: Scope): Promise<Proof | null> {
  try {
    return await scope.race(proving);
  } catch (error) {
    await proving.catch(() => {});
    throw error;
  }
}
