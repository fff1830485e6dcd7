/**
 * Proves each link of a study once, with probes between the hosts of its trials. The result, proved or refused, holds
 * for all later trials on the same link.
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

/** Result of proving a link. */
export type Proof = { readonly reading: PreflightReading; readonly findings: readonly Finding[] };

/** Maximum number of kinds of path that are proved. Each kind takes another second. */
const mostKinds = 4;

/**
 * Returns the topology with only the senders from which probes are sent: the first sender of each kind of path (at most
 * `mostKinds`), but at least two senders if the topology has two.
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

  /** `exchange`: function that sends the probes; tests replace it. Default: the native probe. */
  constructor(shapedLink: ShapedLink, topology: Topology, scratch: string, exchange?: Exchange) {
    this.#shapedLink = shapedLink;
    this.#topology = topology;
    this.#scratch = scratch;
    this.#exchange = exchange;
  }

  /** Proves a link, with its trace if it follows one. Afterwards the caller has to set the link again. */
  async of(
    link: Link,
    seed: number,
    { onStart, signal }: { onStart: () => void; signal: AbortSignal },
  ): Promise<Proof> {
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

/** Waits for the proof of a link. If the trial is given up meanwhile, waits until the probes have left the link. */
export async function awaitProof(proving: Promise<Proof | null>, scope: Scope): Promise<Proof | null> {
  try {
    return await scope.race(proving);
  } catch (error) {
    await proving.catch(() => {});
    throw error;
  }
}
