/**
 * Test of how DualPI2 couples its queues (RFC 9332, section 2.4): DualPI2 drops classic packets with probability p
 * squared and marks L4S packets with the coupling factor times p. The L4S packets are sent one at a time, so their
 * queue stays empty and only the coupling marks them.
 */
import type { Arrival } from './arrivals.ts';
import type { PreflightLink } from './link.ts';
import { countedBytes, fastestBps, fullPayloadBytes, slotMs, smallPayloadBytes } from './packets.ts';
import type { SendPlan } from './probe.ts';
import { type Reading, reading, skipped } from './readings.ts';

/**
 * Offered load of both flows together, and largest load of the L4S flow, both relative to the link's rate; duration of
 * the test, s.
 */
const load = 1.12;
const l4sLoad = 0.1;
const seconds = 3;
const headStartPackets = 20;
/** Shortest interval of L4S packets, ms, and longest and shortest serialisation time of a classic packet, ms. */
const l4sEveryMs = 2;
const longestClassicMs = 10;
const shortestClassicMs = 0.1;
/** Largest share of the marking step that an L4S packet may spend waiting for the packet in service. */
const stepShare = 0.5;
/**
 * Number of full packets that the kernel's DualPI2 spares: while fewer wait, DualPI2 drops and marks nothing. The delay
 * target must be well above these packets.
 */
const sparedPackets = 2;
const wellAbove = 2;
const binMs = 250;
/** Smallest number of classic packets in a bin; bins with fewer are skipped. */
const fewestInBin = 20;
const tolerance = 0.25;

export type CouplingPlan = {
  classic: Extract<SendPlan, { rateBps: number }>;
  l4s: Extract<SendPlan, { everyUs: number }>;
  drainMs: number;
};

type OneFlow = { sent: number; arrivals: readonly Arrival[] };
export type CouplingObservation = { classic: OneFlow; l4s: OneFlow; markedPackets: number };

/**
 * Returns the plan of the test; null if the discipline does not couple queues; a text with the reason if the test is
 * not possible.
 */
export function couplingPlan(link: PreflightLink): CouplingPlan | string | null {
  const { law } = link.discipline;
  if (law?.kind !== 'dualpi2') return null;
  if (link.rateBps > fastestBps) return 'the link is too fast for the sender';
  // the emulator's step needs a backlog, and the L4S queue has none; the kernel's step depends on time alone
  const mostMs = link.bucketBytes === 0 ? longestClassicMs : Math.min(longestClassicMs, law.stepMs * stepShare);
  const fits = Math.floor((mostMs * link.rateBps) / 8e3) - countedBytes(link, 0);
  const least = Math.ceil((shortestClassicMs * link.rateBps) / 8e3) - countedBytes(link, 0);
  const payloadBytes = Math.max(smallPayloadBytes, Math.min(fullPayloadBytes, Math.max(fits, least)));
  if (slotMs(link, payloadBytes) > mostMs)
    return 'a packet takes so long on this link that those of L4S are marked for their own delay';
  const targetBytes = (law.targetMs * link.rateBps) / 8e3;
  if (link.bucketBytes > 0 && targetBytes < wellAbove * sparedPackets * countedBytes(link, fullPayloadBytes))
    return "the kernel's DualPI2 spares two full packets, and its target is hardly more on this link";
  const everyMs = Math.max(l4sEveryMs, slotMs(link, smallPayloadBytes) / l4sLoad);
  return {
    classic: {
      payloadBytes,
      rateBps: link.rateBps * (load - slotMs(link, smallPayloadBytes) / everyMs),
      seconds,
      prefillPackets: headStartPackets,
      overheadBytes: link.overheadBytes,
    },
    l4s: {
      payloadBytes: smallPayloadBytes,
      packets: Math.floor((seconds * 1e3) / everyMs),
      everyUs: Math.round(everyMs * 1e3),
      ecn: 'ect1',
    },
    drainMs: headStartPackets * slotMs(link, payloadBytes) + seconds * 1e3 * l4sLoad,
  };
}

/** Returns the expected number of marks, computed for each bin from its drops of classic packets. */
function expectedMarks({ classic, l4s }: CouplingPlan, observed: CouplingObservation, coupling: number): number {
  const arrived = new Set(observed.classic.arrivals.map(({ sequence }) => sequence));
  const classicMs = (seconds * 1e3) / Math.max(1, observed.classic.sent - classic.prefillPackets);
  const bins = new Map<number, { sent: number; dropped: number }>();
  for (let k = classic.prefillPackets; k < observed.classic.sent; k++) {
    const bin = Math.floor(((k - classic.prefillPackets) * classicMs) / binMs);
    const { sent, dropped } = bins.get(bin) ?? { sent: 0, dropped: 0 };
    bins.set(bin, { sent: sent + 1, dropped: dropped + (arrived.has(k) ? 0 : 1) });
  }
  return Array.from({ length: observed.l4s.sent }, (_, k) => {
    const bin = bins.get(Math.floor((k * l4s.everyUs) / 1e3 / binMs));
    return bin === undefined || bin.sent < fewestInBin ? 0 : Math.min(1, coupling * Math.sqrt(bin.dropped / bin.sent));
  }).reduce((sum, one) => sum + one, 0);
}

/** Returns the readings of the test. `plan`: null or a text if no packets were sent. */
export function couplingReadings(
  link: PreflightLink,
  plan: CouplingPlan | string | null,
  observed: CouplingObservation | null,
): Reading[] {
  const { law, title } = link.discipline;
  if (plan === null || law?.kind !== 'dualpi2') return [];
  const question = {
    id: 'coupling',
    step: 'discipline',
    title: `packets of L4S marked beside the drops of classic ones, by the coupling of ${title}`,
    unit: 'packets',
    asked: 0,
    low: 0,
    high: 0,
  } as const;
  if (typeof plan === 'string' || observed === null) return [skipped(question, plan as string)];
  const asked = expectedMarks(plan, observed, law.coupling);
  const slack = tolerance * asked + 3 * Math.sqrt(asked) + 2;
  const dropped = observed.classic.sent - observed.classic.arrivals.length;
  return [
    reading(
      { ...question, asked, low: Math.max(1, asked - slack), high: asked + slack },
      observed.markedPackets,
      `of ${observed.l4s.sent} sent; ${dropped} of ${observed.classic.sent} classic packets dropped`,
    ),
  ];
}
