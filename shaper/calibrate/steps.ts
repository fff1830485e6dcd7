/** The steps of a preflight: each resets the link, sends its probes and returns its observations. */
import type { Arrival } from './arrivals.ts';
import type { CouplingObservation, CouplingPlan } from './coupling.ts';
import type { PathArrivals } from './delay.ts';
import type { Exchange, Exchanged, FlowResult } from './exchange.ts';
import {
  endOf,
  type PreflightBed,
  type PreflightCounters,
  type PreflightLink,
  type PreflightPath,
  type PreflightTrace,
} from './link.ts';
import type { LossObservation } from './loss.ts';
import type { OverloadObservation } from './overload.ts';
import {
  canOverlap,
  type IdlePlan,
  type LossPlan,
  type OverloadPlan,
  type SerialisationPlan,
  type TrainPlan,
} from './plan.ts';
import type { SendReport, WakeUpReport } from './probe.ts';
import type { SerialisationObservation } from './serialisation.ts';
import type { TraceObservation, TracePlan } from './trace.ts';

/**
 * Observations of a step, with the reports of its senders and of the machine's wake-ups, and the counters of the link.
 */
export type Observed<T> = { seen: T; senders: SendReport[]; wakeUps: WakeUpReport; counters: PreflightCounters };

/** Function that sends probes, and the hosts between which they are sent. */
export type Probing = {
  bed: Pick<PreflightBed, 'left' | 'right'>;
  exchange: Exchange;
  signal?: AbortSignal | undefined;
};

/**
 * Number of rounds over the sizes. Rounds make a machine that slows down during the step affect all sizes, not only the
 * last.
 */
const sizeRounds = 4;

/** Returns the path that the trains and the overload use to test the bottleneck. */
export function triedPath(link: PreflightLink): PreflightPath {
  const path = link.paths.find(({ shaped }) => shaped);
  if (path === undefined) throw new Error('a link without a path through its bottleneck');
  return path;
}

function observed<T>({ results, wakeUps, counters }: Exchanged, seen: (results: FlowResult[]) => T): Observed<T> {
  return { seen: seen(results), senders: results.map(({ report }) => report), wakeUps, counters };
}

/** Step (a): sends probes on every path of an idle link. */
export async function observeDelay(
  link: PreflightLink,
  { exchange, signal }: Probing,
  plan: IdlePlan,
): Promise<Observed<PathArrivals[]>> {
  await link.reset('bare');
  const exchanged = await exchange(
    link,
    link.paths.map(path => ({ path, plan })),
    { inTurn: canOverlap(link), signal },
  );
  return observed(exchanged, results =>
    results.map(({ path, report, arrivals }) => ({ path, sent: report.sent, arrivals })),
  );
}

/**
 * Step (b): sends single packets of several sizes, and short trains. Returns the arrivals of each size and length in
 * the order of the plan.
 */
export async function observeSerialisation(
  link: PreflightLink,
  { exchange, signal }: Probing,
  plan: SerialisationPlan,
): Promise<Observed<SerialisationObservation>> {
  await link.reset('bare');
  const path = triedPath(link);
  const rounds = Array.from({ length: sizeRounds }, () =>
    plan.idle.map(one => ({ ...one, packets: Math.ceil(one.packets / sizeRounds) })),
  ).flat();
  const flows = [...rounds, ...plan.trains].map(one => ({ path, plan: one }));
  return observed(await exchange(link, flows, { inTurn: true, signal }), results => {
    const arrivals = results.map(result => result.arrivals);
    const idle = plan.idle.map((_, size) =>
      arrivals
        .slice(0, rounds.length)
        .filter((_round, flow) => flow % plan.idle.length === size)
        .flat(),
    );
    return { delayMs: path.delayMs, idle, trains: arrivals.slice(rounds.length) };
  });
}

/** Step (c): sends trains of packets, each after an idle time. */
export async function observeTrains(
  link: PreflightLink,
  { exchange, signal }: Probing,
  plan: TrainPlan,
): Promise<Observed<Arrival[]>> {
  await link.reset('bare');
  const exchanged = await exchange(link, [{ path: triedPath(link), plan }], { signal });
  return observed(exchanged, ([result]) => result!.arrivals);
}

/** Step (d): sends more packets than the bottleneck can carry. `baseMs`: delay of the idle path. */
export async function observeOverload(
  link: PreflightLink,
  { exchange, signal }: Probing,
  plan: OverloadPlan,
  baseMs: number,
): Promise<Observed<OverloadObservation>> {
  await link.reset('bare');
  const watch = { fromMs: plan.settleMs, drainMs: plan.drainMs };
  const exchanged = await exchange(link, [{ path: triedPath(link), plan }], { watch, signal });
  const { backlogs, counters } = exchanged;
  return observed(exchanged, ([result]) => {
    const { report, arrivals, kernelDropped } = result!;
    const { sent, startMs, endMs } = report;
    return { sent, startMs, endMs, arrivals, kernelDropped, baseMs, backlogs, counters };
  });
}

/** Sends the probe of a trace, from its start on. */
export async function observeTrace(
  link: PreflightLink,
  trace: PreflightTrace,
  { exchange, signal }: Probing,
  plan: TracePlan,
): Promise<Observed<TraceObservation>> {
  const zeroMs = await trace.start();
  // the backlog is not read, only awaited
  const watch = { fromMs: Infinity, drainMs: plan.drainMs };
  const exchanged = await exchange(link, [{ path: triedPath(link), plan }], { watch, signal });
  return observed(exchanged, ([result]) => {
    const { report, arrivals } = result!;
    return { sent: report.sent, startMs: report.startMs, zeroMs, arrivals };
  });
}

/** Step (e): sends an overload together with L4S packets, for a discipline that couples two queues. */
export async function observeCoupling(
  link: PreflightLink,
  { exchange, signal }: Probing,
  plan: CouplingPlan,
): Promise<Observed<CouplingObservation>> {
  await link.reset('bare');
  const path = triedPath(link);
  const exchanged = await exchange(
    link,
    [
      { path, plan: plan.classic },
      { path, plan: plan.l4s },
    ],
    { watch: { fromMs: 0, drainMs: plan.drainMs }, signal },
  );
  return observed(exchanged, ([classic, l4s]) => ({
    classic: { sent: classic!.report.sent, arrivals: classic!.arrivals },
    l4s: { sent: l4s!.report.sent, arrivals: l4s!.arrivals },
    markedPackets: exchanged.counters.markedPackets,
  }));
}

/** Step (f): sends small packets on every path with random loss, or on the path of the overload if no path has loss. */
export async function observeLoss(
  link: PreflightLink,
  { bed, exchange, signal }: Probing,
  planOf: (lossRatio: number, paths: number) => LossPlan,
): Promise<Observed<LossObservation[]>> {
  await link.reset('loss');
  const lossy = link.paths.filter(({ loss }) => loss !== null);
  const paths = lossy.length > 0 ? lossy : [triedPath(link)];
  const flows = paths.map(path => ({ path, plan: planOf(path.loss?.lossRatio ?? 0, paths.length) }));
  const exchanged = await exchange(link, flows, { signal });
  return observed(exchanged, results =>
    results.map(({ path, report, arrivals, kernelDropped }) => ({
      path,
      source: endOf(bed, path.from).address,
      destination: endOf(bed, path.to).address,
      sent: report.sent,
      arrivals,
      kernelDropped,
      counters: exchanged.counters,
    })),
  );
}
