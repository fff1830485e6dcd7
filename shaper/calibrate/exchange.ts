/**
 * Sends the probes of one step and waits for what arrives of them.
 *
 * Wake-ups are measured while packets are under way and not before: what it costs to start programs disturbs no packet.
 */
import { join } from 'node:path';
import { sleep, within } from '../../core/system/deadline.ts';
import { Scope } from '../../core/system/scope.ts';
import type { Arrival } from './arrivals.ts';
import {
  type End,
  endOf,
  type PreflightBed,
  type PreflightCounters,
  type PreflightLink,
  type PreflightPath,
} from './link.ts';
import {
  monotonicMs,
  ProbeWakeUps,
  planTotals,
  type Received,
  Receiver,
  type SendPlan,
  type SendReport,
  sendProbes,
  type WakeUpReport,
} from './probe.ts';

/** After the last packet should have arrived, ms. */
const settleMs = 50;
/** Between two looks at a queue, ms. */
export const lookEveryMs = 50;

export type Flow = { path: PreflightPath; plan: SendPlan };
export type FlowResult = { path: PreflightPath; report: SendReport; arrivals: Arrival[]; kernelDropped: number };

type ExchangeOptions = {
  /** One flow after the other; else all at once. */
  inTurn?: boolean;
  /** Looks at the queue from so long after the beginning, and waits for as long as it needs to drain. */
  watch?: { fromMs: number; drainMs: number };
  signal?: AbortSignal | undefined;
};

export type Exchanged = {
  results: FlowResult[];
  wakeUps: WakeUpReport;
  /** Packets that waited at each look, while a sender was at work; empty where nobody looked. */
  backlogs: number[];
  /** At the end. */
  counters: PreflightCounters;
};

/** In the order of the flows. */
export type Exchange = (link: PreflightLink, flows: readonly Flow[], options?: ExchangeOptions) => Promise<Exchanged>;

const countersOf = (link: PreflightLink, signal?: AbortSignal) =>
  within(link.counters(), 5000, 'the counters of the link', signal === undefined ? {} : { signal });

/** With packets of the native probe on the hosts of the bed. */
export function probeExchange(bed: PreflightBed): Exchange {
  return (link, flows, { inTurn = false, watch, signal: outer } = {}) =>
    Scope.run({ signal: outer }, async scope => {
      const { signal } = scope;
      const receivers = new Map<End, Receiver>();
      for (const {
        path: { to },
      } of flows) {
        if (receivers.has(to)) continue;
        const file = join(bed.scratch, `probes-${to}`);
        receivers.set(
          to,
          await scope.open(Receiver.start(endOf(bed, to).host, file, signal), receiver => receiver.stop()),
        );
      }
      const wakeUps = await scope.open(ProbeWakeUps.start(bed.router, signal), started => started.stop());
      const send = ({ path: { from, to }, plan }: Flow, flow: number) =>
        sendProbes(endOf(bed, from).host, endOf(bed, to).address, receivers.get(to)!.port, { ...plan, flow }, signal);
      const sending = inTurn ? eachInTurn(flows, send, signal) : Promise.all(flows.map(send));
      const longestMs = Math.max(...flows.map(({ path }) => path.delayMs));
      const [reports, backlogs] = await Promise.all([
        sending,
        watch === undefined ? [] : backlogsWhile(sending, link, watch.fromMs + longestMs, signal),
      ]);
      if (watch !== undefined) await drained(link, reports, 2 * watch.drainMs + longestMs + 1000, signal);
      await sleep(longestMs + settleMs, signal);
      const counters = await countersOf(link, signal);
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
      return { results, wakeUps: report, backlogs, counters };
    });
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
    if (index < flows.length - 1) await sleep(restMs(flow.plan), signal);
  }
  return reports;
}

/** Between the last packet of a flow and the first of the next, ms. */
export function restMs(plan: SendPlan): number {
  const { packets, durationMs } = planTotals(plan);
  return 'trains' in plan ? plan.everyMs : durationMs / packets;
}

/** Without the second and further copies of a packet. */
function once(arrivals: readonly Arrival[]): Arrival[] {
  const known = new Set<number>();
  return arrivals.filter(({ sequence }) => !known.has(sequence) && known.add(sequence));
}

/** Packets that wait, again and again while probes are sent, from so long after now. */
async function backlogsWhile(
  sending: Promise<unknown>,
  link: PreflightLink,
  fromMs: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const backlogs: number[] = [];
  const beginMs = monotonicMs() + fromMs;
  let isOver = false;
  const over = sending.then(() => (isOver = true));
  over.catch(() => {}); // thrown where the sending is waited for
  while (!isOver) {
    await Promise.race([over, sleep(lookEveryMs, signal)]);
    if (!isOver && monotonicMs() >= beginMs) backlogs.push((await link.counters()).backlogPackets);
  }
  return backlogs;
}

/** Waits until every packet has left the queue, or for `ms`. */
async function drained(
  link: PreflightLink,
  reports: readonly SendReport[],
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  const sent = reports.reduce((sum, report) => sum + report.sent, 0);
  const endMs = monotonicMs() + ms;
  for (;;) {
    const counters = await countersOf(link, signal);
    const done = counters.backlogPackets === 0 && counters.sentPackets + counters.droppedPackets >= sent;
    if (done || monotonicMs() > endMs) return;
    await sleep(lookEveryMs, signal);
  }
}
