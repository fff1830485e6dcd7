/**
 * Checks that a queue follows the law of its discipline: time of CoDel's first drop, PIE's share of drops and queue
 * delay, coupling of DualPI2's two queues. The laws (shaper/calibrate/laws) are computed for the overload that was
 * sent, and the result is compared with the behaviour of the bottleneck.
 */

import { quantile } from '../../core/stats/quantile.ts';
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';
import type { Arrival } from './arrivals.ts';
import { type Outcome, underLaw } from './laws/queue.ts';
import type { PreflightLink } from './link.ts';
import { countedBytes, fullPayloadBytes, roomPackets, slotMs } from './packets.ts';
import { type OverloadPlan, overloadFactor } from './plan.ts';
import { type Reading, reading, skipped } from './readings.ts';

/** Tolerance of the time of CoDel's first drop, as a share of CoDel's interval. A sender is not more punctual. */
const firstDropTolerance = 0.2;
/** Tolerance of PIE's share of drops and of PIE's delay, as a share of the expected value. The drops are random. */
const pieTolerance = 0.4;
/**
 * Quantile of the delays that is used as the longest delay, so that one packet delayed by the machine does not count.
 */
const longest = 0.95;
/** Queue delay above which Linux raises PIE's probability faster than the RFC does (net/sched/sch_pie.c), ms. */
const kernelPieMs = 250;
/** Smallest number of drops from which a probability is estimated. */
const fewestDrops = 10;

type Overloaded = { sent: number; startMs: number; arrivals: readonly Arrival[]; baseMs: number };

/** Returns the send time of each packet of an overload after the first packet, ms (send.c). */
export function overloadTimesMs(link: PreflightLink, plan: OverloadPlan): number[] {
  const intervalMs = slotMs(link, plan.payloadBytes) / overloadFactor;
  const total = plan.prefillPackets + Math.ceil((plan.seconds * 1e3) / intervalMs);
  const prefillMs = (plan.prefillPackets * intervalMs) / 3;
  return Array.from({ length: total }, (_, k) =>
    k < plan.prefillPackets ? (k * intervalMs) / 3 : prefillMs + (k - plan.prefillPackets) * intervalMs,
  );
}

/**
 * Returns the outcome of the overload under `law`. `isFull`: the queue reaches its limit as well, for CoDel before the
 * first drop, for PIE at any time.
 */
function expectedOf(link: PreflightLink, plan: OverloadPlan, law: DropLaw): Outcome & { isFull: boolean } {
  const slot = slotMs(link, plan.payloadBytes);
  const size = {
    slotMs: slot,
    countedBytes: countedBytes(link, plan.payloadBytes),
    largestBytes: countedBytes(link, fullPayloadBytes),
  };
  const timesMs = overloadTimesMs(link, plan);
  const expected = underLaw(law, size, timesMs);
  const untilMs = law.kind === 'codel' ? (expected.drops[0]?.timeMs ?? Infinity) : Infinity;
  const longestMs = expected.waitsMs
    .filter(({ index }) => timesMs[index]! <= untilMs)
    .reduce((most, { waitedMs }) => Math.max(most, waitedMs), 0);
  return { ...expected, isFull: longestMs / slot + 1 >= roomPackets(link, plan.payloadBytes) };
}

const question = (link: PreflightLink, id: string, what: string, unit: Reading['unit']) =>
  ({ id, step: 'overload', title: `${what} by ${link.discipline.title}`, unit, asked: 0, low: 0, high: 0 }) as const;

/** Returns the readings of a discipline. `plan`: null if the link cannot be overloaded. */
export function disciplineReadings(
  link: PreflightLink,
  plan: OverloadPlan | null,
  observed: Overloaded | null,
): Reading[] {
  const {
    discipline: { law, title },
  } = link;
  if (law?.kind === 'tail' || law?.kind === 'dualpi2') return []; // tail drop has no law, and dualpi2 has its own step
  const general = question(link, 'discipline', 'drops', 'packets');
  if (law === null)
    return [
      skipped(general, `when it drops packets is not said in ${title}: give the plug-in a "law" to have it proved`),
    ];
  if (plan === null || observed === null) return [skipped(general, 'the link is too fast for the sender')];
  const expected = expectedOf(link, plan, law);
  if (expected.isFull) return [skipped(general, 'its limit is reached within the overload')];
  if (expected.drops.length === 0) return [skipped(general, 'it does not act within the overload')];
  return law.kind === 'codel'
    ? [firstDrop(link, plan, law, expected, observed)]
    : pieReadings(link, plan, expected, observed);
}

/**
 * Returns the departure time of the packet before the first missing one. CoDel dropped the missing packet at the head
 * of the queue, at about this time.
 */
function firstDrop(
  link: PreflightLink,
  plan: OverloadPlan,
  { intervalMs }: Extract<DropLaw, { kind: 'codel' }>,
  expected: Outcome,
  { sent, startMs, arrivals, baseMs }: Overloaded,
): Reading {
  const slot = slotMs(link, plan.payloadBytes);
  const asked = expected.drops[0]!.timeMs;
  const slack = firstDropTolerance * intervalMs + 2 * slot;
  const inOrder = [...arrivals].sort((a, b) => a.sequence - b.sequence);
  const missing = inOrder.findIndex(({ sequence }, k) => sequence !== k);
  const before = missing > 0 ? inOrder[missing - 1] : undefined;
  return reading(
    {
      ...question(link, 'first-drop', 'first drop', 'ms'),
      title: `first drop of ${link.discipline.title}, after the first packet of the overload`,
      asked,
      low: asked - slack,
      high: asked + slack,
    },
    before === undefined ? null : before.receivedMs - startMs - baseMs,
    `${sent - arrivals.length} drops in all`,
  );
}

/**
 * Returns two readings of PIE. The share of drops is taken from the second half, after the start. The longest wait is
 * from the time before the probability had grown to its final value.
 */
function pieReadings(link: PreflightLink, plan: OverloadPlan, expected: Outcome, observed: Overloaded): Reading[] {
  const timesMs = overloadTimesMs(link, plan);
  const from = timesMs.findIndex(ms => ms >= timesMs.at(-1)! / 2);
  const of = timesMs.length - from;
  const askedDrops = expected.drops.filter(({ index }) => index >= from).length;
  const share = question(link, 'drop-share', 'share of packets dropped', 'ratio');
  const wait = question(link, 'managed-delay', 'longest queue delays', 'ms');
  if (askedDrops < fewestDrops)
    return [share, wait].map(one => skipped(one, `it drops ${askedDrops} packets within the overload`));
  const askedMs = quantile(
    expected.waitsMs.map(({ waitedMs }) => waitedMs),
    longest,
  )!;
  if (link.bucketBytes > 0 && askedMs > kernelPieMs)
    return [share, wait].map(one =>
      skipped(one, `the kernel's PIE has a law of its own for delays beyond ${kernelPieMs} ms, and this link has such`),
    );
  const arrived = observed.arrivals.filter(({ sequence }) => sequence >= from);
  const waitsMs = observed.arrivals.map(({ sentMs, receivedMs }) => receivedMs - sentMs - observed.baseMs);
  const drops = of - arrived.length;
  const within = (asked: number, least: number) => ({
    asked,
    low: Math.max(0, asked * (1 - pieTolerance) - least),
    high: asked * (1 + pieTolerance) + least,
  });
  return [
    reading(
      { ...share, title: `${share.title} under an overload of ${overloadFactor}`, ...within(askedDrops / of, 0.01) },
      drops / of,
      `${drops} of ${of}`,
    ),
    reading(
      { ...wait, title: `${wait.title} under the same (p95)`, ...within(askedMs, 2) },
      quantile(waitsMs, longest) ?? null,
    ),
  ];
}
