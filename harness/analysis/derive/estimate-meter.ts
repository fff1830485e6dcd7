/**
 * Checks whether a flow's bandwidth estimate exceeds the capacity of the link. An estimate is too high if the link lets
 * packets through faster than its rate, which misleads BBR.
 *
 * BBRv3 reports its model ten times a second (BBR.max_bw). BBRv1's estimate comes from `ss` (bw, the maximum over ten
 * round trips) whenever the sockets are read. Both estimates count TCP payload in packets of the segment size, and the
 * limit here counts the same: a link of 40 Mbit/s in Ethernet frames carries 38.3 Mbit/s of payload.
 */

import { quantile } from '../../../core/stats/quantile.ts';
import { describeBackend, isSerialising } from '../../../core/vocabulary/backends.ts';
import { type BackendId, type Link, payloadBps } from '../../../core/vocabulary/link.ts';
import type { Bbr3Record } from '../../record/series/bbr3.ts';
import type { TcpRecord } from '../../record/series/tcp.ts';
import type { Window } from '../../record/trial-record.ts';

/**
 * Largest ratios of an estimate to the capacity of the link, for the 99th percentile and for the maximum. A flow with a
 * larger ratio was misled.
 */
export const estimateLimits = { p99: 1.1, max: 1.25 } as const;

export type EstimateQuantiles = { n: number; p50: number; p99: number; max: number };

/**
 * Returns quantiles of the ratio of the estimates (TCP payload, bit/s) to the payload rate of the link; undefined
 * without estimates.
 */
export function overLink(
  estimatesBps: readonly number[],
  link: Pick<Link, 'rateBps' | 'bytes'>,
): EstimateQuantiles | undefined {
  if (estimatesBps.length === 0) return undefined;
  const has = payloadBps(link);
  const of = (p: number) => quantile(estimatesBps, p)! / has;
  return { n: estimatesBps.length, p50: of(0.5), p99: of(0.99), max: of(1) };
}

export function isTooHigh({ p99, max }: Pick<EstimateQuantiles, 'p99' | 'max'>): boolean {
  return p99 > estimateLimits.p99 || max > estimateLimits.max;
}

/** Returns the highest rate that the schedule of a link sets, bit/s. */
function highestBps({ rateBps, schedule }: Pick<Link, 'rateBps' | 'schedule'>): number {
  return Math.max(rateBps, ...schedule.map(step => step.rateBps));
}

function why(backend: BackendId): string {
  if (!isSerialising(backend))
    return `the link lets packets through faster than its rate (${describeBackend(backend)})`;
  // BBR counts packets: a small packet, such as the first one of iperf3, counts as a whole segment
  return 'the link serialises, so the emulator or a host was late with some packets, or small packets counted as full ones';
}

/** Collects the bandwidth estimates of a flood's flows while the flows run. */
export class EstimateMeter {
  /** Readings of each flow, by the port of the flow. */
  readonly #flows = new Map<number, { timeMs: number; bps: number }[]>();

  bbr3(record: Bbr3Record): void {
    if (record.kind === 'sample') this.#add(record.port, record.timeMs, record.maxBandwidthBps);
  }

  tcp({ end, port, timeMs, bandwidthBps }: TcpRecord): void {
    if (end === 'sender') this.#add(port, timeMs, bandwidthBps ?? null);
  }

  /**
   * Returns a message on the flow with the highest estimate if that estimate exceeds the capacity of the link in the
   * window. The message gives the rate in the bytes that the link's rate counts. Null if no estimate is too high, and
   * for a trace and a link outside, whose rate is not known. `label`: kind of the flows, for example "BBRv3 (...)".
   */
  tooHigh(
    link: Link,
    { backend, label, window: { startMs, endMs } }: { backend: BackendId; label: string; window: Window },
  ): string | null {
    if (link.trace !== null || backend === 'outside') return null;
    const rateBps = highestBps(link);
    const flows = [...this.#flows.values()].flatMap(
      readings =>
        overLink(
          readings.filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs).map(({ bps }) => bps),
          { ...link, rateBps },
        ) ?? [],
    );
    const high = flows.filter(isTooHigh).sort((a, b) => b.p99 - a.p99 || b.max - a.max);
    const [most] = high;
    if (most === undefined) return null;
    const [share, of] = most.p99 > estimateLimits.p99 ? [most.p99, 'p99'] : [most.max, 'once'];
    const name = label.split(' ')[0]!;
    const whose =
      flows.length === 1
        ? `a ${name} flow`
        : `${high.length} of ${flows.length} ${name} flows saw more than the link has: one`;
    return `${whose} estimated ${mbit(share * rateBps)} (${of}) on a link of ${mbit(rateBps)}: ${why(backend)}`;
  }

  #add(port: number, timeMs: number, bps: number | null): void {
    if (bps === null || bps <= 0) return;
    const readings = this.#flows.get(port) ?? [];
    readings.push({ timeMs, bps });
    this.#flows.set(port, readings);
  }
}

const mbit = (bps: number) => `${Number((bps / 1e6).toPrecision(3))} Mbit/s`;
