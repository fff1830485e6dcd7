/**
 * Proves each link of a study once, with probes on the hosts of its trials: a link that was proved, or refused, stays so.
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

/** It is kept for the trials to come on the same link. */
export type Proof = { readonly reading: PreflightReading; readonly findings: readonly Finding[] };

/** Kinds of path that are proved at most: each takes a second more. */
const mostKinds = 4;

/**
 * Whose paths the proof looks at: paths that are alike are proved by the first of them, but there are two senders where
 * there can be.
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

  /** `exchange`: how probes are sent, by the native probe where not said; for tests. */
  constructor(shapedLink: ShapedLink, topology: Topology, scratch: string, exchange?: Exchange) {
    this.#shapedLink = shapedLink;
    this.#topology = topology;
    this.#scratch = scratch;
    this.#exchange = exchange;
  }

  /**
   * The link has to be set anew after it. Null where the link cannot be measured: one that follows a trace has no rate.
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

/** Waits for a proof as a step of a trial: one that is given up leaves no probe on the link. */
export async function awaitProof(proving: Promise<Proof | null>, scope: Scope): Promise<Proof | null> {
  try {
    return await scope.race(proving);
  } catch (error) {
    await proving.catch(() => {});
    throw error;
  }
}
