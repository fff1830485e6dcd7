/**
 * The five steps of a preflight as they are done: each sets the link anew, sends its probes and returns what was seen.
 *
 * Wake-ups are measured while packets are under way and not before: what it costs to set a link and to start programs
 * disturbs no packet.
 */
import { join } from 'node:path';
import { sleep, within } from '../../core/deadline.ts';
import type { Arrival } from './arrivals.ts';
import type { PathArrivals } from './delay.ts';
import { endOf } from './link.ts';
import type { End, PreflightBed, PreflightCounters, PreflightLink, PreflightPath } from './link.ts';
import type { LossObservation } from './loss.ts';
import type { OverloadObservation } from './overload.ts';
import type { IdlePlan, LossPlan, OverloadPlan, SerialisationPlan, TrainPlan } from './plan.ts';
import { Receiver, ProbeWakeUps, monotonicMs, planTotals, sendProbes } from './probe.ts';
import type { WakeUpReport, Received, SendPlan, SendReport } from './probe.ts';
import type { SerialisationObservation } from './serialisation.ts';

/** What a step saw, and how its senders and the machine fared meanwhile. */
export type Observed<T> = { seen: T; senders: SendReport[]; wakeUps: WakeUpReport };

/** After the last packet should have arrived, ms. */
const settleMs = 50;
/**
 * The sizes take turns so often: a machine that becomes slower meanwhile makes all of them slower, and not the last
 * alone.
 */
const sizeRounds = 4;
/** Between two looks at a queue, ms. */
const lookEveryMs = 50;

/** The path whose trains and overload try the bottleneck. */
export function triedPath(link: PreflightLink): PreflightPath {
  const path = link.paths.find(({ shaped }) => shaped);
  if (path === undefined) throw new Error('a link without a path through its bottleneck');
  return path;
}

type Flow = { path: PreflightPath; plan: SendPlan };
type FlowResult = { path: PreflightPath; report: SendReport; arrivals: Arrival[]; kernelDropped: number };

/**
 * Sends all flows, at once unless they go in turn, and measures wake-ups meanwhile. `meanwhile` is awaited before the
 * receivers are ended.
 */
async function exchange(
  bed: PreflightBed,
  flows: readonly Flow[],
  signal: AbortSignal | undefined,
  meanwhile: (sending: Promise<unknown>) => Promise<void>,
  inTurn = false,
): Promise<{ results: FlowResult[]; wakeUps: WakeUpReport }> {
  const receivers = new Map<End, Receiver>();
  let wakeUps: ProbeWakeUps | undefined;
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  try {
    for (const {
      path: { to },
    } of flows) {
      if (!receivers.has(to))
        receivers.set(to, await Receiver.start(endOf(bed, to).host, join(bed.scratch, `probes-${to}`), signal));
    }
    wakeUps = await ProbeWakeUps.start(bed.router, signal);
    const send = ({ path: { from, to }, plan }: Flow, flow: number) =>
      sendProbes(endOf(bed, from).host, endOf(bed, to).address, receivers.get(to)!.port, { ...plan, flow }, either);
    const sending = inTurn ? eachInTurn(flows, send, either) : Promise.all(flows.map(send));
    const [reports] = await Promise.all([sending, meanwhile(sending)]);
    await sleep(Math.max(...flows.map(({ path }) => path.delayMs)) + settleMs, signal);
    const report = await wakeUps.finish();
    const received = new Map<End, Received>();
    for (const [end, receiver] of receivers) received.set(end, await receiver.finish());
    const results = flows.map(({ path }, flow) => {
      const { arrivals, kernelDropped } = received.get(path.to)!;
      return {
        path,
        report: reports[flow]!,
        arrivals: once(arrivals.filter(arrival => arrival.flow === flow)),
        kernelDropped,
      };
    });
    return { results, wakeUps: report };
  } catch (error) {
    failed.abort(error); // the other senders
    throw error;
  } finally {
    await Promise.all([wakeUps?.stop(), ...[...receivers.values()].map(receiver => receiver.stop())]);
  }
}

/** The next flow begins when the link has had time for what the one before sent last. */
async function eachInTurn(
  flows: readonly Flow[],
  send: (flow: Flow, index: number) => Promise<SendReport>,
  signal: AbortSignal,
): Promise<SendReport[]> {
  const reports: SendReport[] = [];
  for (const [index, flow] of flows.entries()) {
    reports.push(await send(flow, index));
    const { packets, durationMs } = planTotals(flow.plan);
    const everyMs = 'trains' in flow.plan ? flow.plan.everyMs : durationMs / packets;
    if (index < flows.length - 1) await sleep(everyMs, signal);
  }
  return reports;
}

const alone = async (sending: Promise<unknown>) => {
  await sending;
};

/** Without the second and further copies of a packet. */
function once(arrivals: readonly Arrival[]): Arrival[] {
  const known = new Set<number>();
  return arrivals.filter(({ sequence }) => !known.has(sequence) && known.add(sequence));
}

/** (a) Probes on every path of an idle link. */
export async function observeDelay(
  link: PreflightLink,
  bed: PreflightBed,
  plan: IdlePlan,
  signal?: AbortSignal,
): Promise<Observed<PathArrivals[]>> {
  await link.reset('bare');
  const { results, wakeUps } = await exchange(
    bed,
    link.paths.map(path => ({ path, plan })),
    signal,
    alone,
  );
  return {
    seen: results.map(({ path, report, arrivals }) => ({ path, sent: report.sent, arrivals })),
    senders: results.map(({ report }) => report),
    wakeUps,
  };
}

/** (b) Packets of several sizes alone, and short trains; what arrived of each, in the order of the plan. */
export async function observeSerialisation(
  link: PreflightLink,
  bed: PreflightBed,
  plan: SerialisationPlan,
  signal?: AbortSignal,
): Promise<Observed<SerialisationObservation>> {
  await link.reset('bare');
  const path = triedPath(link);
  const rounds = Array.from({ length: sizeRounds }, () =>
    plan.idle.map(one => ({ ...one, packets: Math.ceil(one.packets / sizeRounds) })),
  ).flat();
  const { results, wakeUps } = await exchange(
    bed,
    [...rounds, ...plan.trains].map(one => ({ path, plan: one })),
    signal,
    alone,
    true,
  );
  const arrivals = results.map(result => result.arrivals);
  const idle = plan.idle.map((_, size) =>
    arrivals
      .slice(0, rounds.length)
      .filter((_round, flow) => flow % plan.idle.length === size)
      .flat(),
  );
  return {
    seen: { delayMs: path.delayMs, idle, trains: arrivals.slice(rounds.length) },
    senders: results.map(({ report }) => report),
    wakeUps,
  };
}

/** (c) Trains of packets after idle. */
export async function observeTrains(
  link: PreflightLink,
  bed: PreflightBed,
  plan: TrainPlan,
  signal?: AbortSignal,
): Promise<Observed<Arrival[]>> {
  await link.reset('bare');
  const {
    results: [result],
    wakeUps,
  } = await exchange(bed, [{ path: triedPath(link), plan }], signal, alone);
  return { seen: result!.arrivals, senders: [result!.report], wakeUps };
}

/** (d) More than the bottleneck can carry. `baseMs` is the idle delay of the path. */
export async function observeOverload(
  link: PreflightLink,
  bed: PreflightBed,
  plan: OverloadPlan,
  baseMs: number,
  signal?: AbortSignal,
): Promise<Observed<OverloadObservation>> {
  await link.reset('bare');
  const path = triedPath(link);
  const backlogs: number[] = [];
  let counters: PreflightCounters | undefined;
  const {
    results: [result],
    wakeUps,
  } = await exchange(bed, [{ path, plan }], signal, async sending => {
    let sent: number | undefined;
    const fullFromMs = monotonicMs() + plan.settleMs + path.delayMs;
    const watched = sending.then(reports => {
      sent = (reports as SendReport[])[0]!.sent;
    });
    watched.catch(() => {}); // thrown below, when it is waited for
    while (sent === undefined) {
      await Promise.race([watched, sleep(lookEveryMs, signal)]);
      if (sent !== undefined || monotonicMs() < fullFromMs) continue;
      const { backlogPackets } = await link.counters();
      backlogs.push(backlogPackets);
    }
    counters = await drained(link, sent, 2 * plan.drainMs + path.delayMs + 1000, signal);
  });
  const { report, arrivals, kernelDropped } = result!;
  return {
    seen: {
      sent: report.sent,
      startMs: report.startMs,
      endMs: report.endMs,
      arrivals,
      kernelDropped,
      baseMs,
      backlogs,
      counters: counters!,
    },
    senders: [report],
    wakeUps,
  };
}

/** The counters once every packet has left the queue, or after `ms` whatever they are. */
async function drained(
  link: PreflightLink,
  sent: number,
  ms: number,
  signal?: AbortSignal,
): Promise<PreflightCounters> {
  const endMs = monotonicMs() + ms;
  for (;;) {
    const counters = await within(
      link.counters(),
      5000,
      'the counters of the link',
      signal === undefined ? {} : { signal },
    );
    const done = counters.backlogPackets === 0 && counters.sentPackets + counters.droppedPackets >= sent;
    if (done || monotonicMs() > endMs) return counters;
    await sleep(lookEveryMs, signal);
  }
}

/** (e) Small packets on every path with random loss on; on the tried path where there is none. */
export async function observeLoss(
  link: PreflightLink,
  bed: PreflightBed,
  planOf: (lossRatio: number, paths: number) => LossPlan,
  signal?: AbortSignal,
): Promise<Observed<LossObservation[]>> {
  await link.reset('loss');
  const lossy = link.paths.filter(({ loss }) => loss !== null);
  const paths = lossy.length > 0 ? lossy : [triedPath(link)];
  const { results, wakeUps } = await exchange(
    bed,
    paths.map(path => ({ path, plan: planOf(path.loss?.lossRatio ?? 0, paths.length) })),
    signal,
    alone,
  );
  const counters = await link.counters();
  return {
    seen: results.map(({ path, report, arrivals, kernelDropped }) => ({
      path,
      source: endOf(bed, path.from).address,
      destination: endOf(bed, path.to).address,
      sent: report.sent,
      arrivals,
      kernelDropped,
      counters,
    })),
    senders: results.map(({ report }) => report),
    wakeUps,
  };
}
