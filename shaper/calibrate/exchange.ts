/**
 * Sends the probes of one step and collects their arrivals.
 *
 * Wake-ups are measured only while packets are in flight, so that the cost of starting programs does not count as a
 * disturbance.
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

/** Milliseconds to wait for the last packet after its expected arrival. */
const settleMs = 50;
/** The same for a link whose delay and queue are unknown. */
const unknownMs = 1000;
export const lookEveryMs = 50;

export type Flow = { path: PreflightPath; plan: SendPlan };
export type FlowResult = { path: PreflightPath; report: SendReport; arrivals: Arrival[]; kernelDropped: number };

type ExchangeOptions = {
  /** True: the flows are sent one after another. Otherwise all flows are sent at once. */
  inTurn?: boolean;
  /**
   * Reads the backlog of the queue from `fromMs` after the start. The exchange then waits for `drainMs`, the drain time
   * of the queue.
   */
  watch?: { fromMs: number; drainMs: number };
  signal?: AbortSignal | undefined;
};

export type Exchanged = {
  results: FlowResult[];
  wakeUps: WakeUpReport;
  /** Number of waiting packets at each reading of the queue while a sender was active; empty without `watch`. */
  backlogs: number[];
  counters: PreflightCounters;
};

/** Sends `flows` over the link. The results are in the order of `flows`. */
export type Exchange = (link: PreflightLink, flows: readonly Flow[], options?: ExchangeOptions) => Promise<Exchanged>;

const countersOf = (link: PreflightLink, signal?: AbortSignal) =>
  within(link.counters(), 5000, 'the counters of the link', signal === undefined ? {} : { signal });

/** Returns an exchange that sends packets of the native probe between the hosts of `bed`. */
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
      await sleep(longestMs + (link.isTold ? unknownMs : settleMs), signal);
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

/** Sends the flows one after another. Each one starts when the link has sent the last packet of the previous flow. */
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

/** Returns the time between the last packet of a flow and the first packet of the next flow, ms. */
export function restMs(plan: SendPlan): number {
  const { packets, durationMs } = planTotals(plan);
  return 'trains' in plan ? plan.everyMs : durationMs / packets;
}

/** Returns the arrivals without duplicates. */
function once(arrivals: readonly Arrival[]): Arrival[] {
  const known = new Set<number>();
  return arrivals.filter(({ sequence }) => !known.has(sequence) && known.add(sequence));
}

/**
 * Reads the number of waiting packets repeatedly while probes are sent, from `fromMs` after the call. Returns all
 * readings.
 */
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
  over.catch(() => {}); // the caller awaits the sending and gets the error
  while (!isOver) {
    await Promise.race([over, sleep(lookEveryMs, signal)]);
    if (!isOver && monotonicMs() >= beginMs) backlogs.push((await link.counters()).backlogPackets);
  }
  return backlogs;
}

/** Waits at most `ms` milliseconds until every packet has left the queue. */
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
