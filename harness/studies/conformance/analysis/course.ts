/**
 * Course of a trial at its bottlenecks, in bins of equal length: bytes, drops and queue delays of each flow. Measured
 * trials and trials in virtual time have the same form.
 */
import { maxMinParts } from '../../../../core/stats/fair-share.ts';
import type { Direction } from '../../../../core/vocabulary/direction.ts';
import type { Bottleneck } from '../../../../core/vocabulary/link.ts';
import { meanRateBps } from '../../../../core/vocabulary/rate-schedule.ts';

/** Part of the window, ms from its start. */
export type Span = { fromMs: number; toMs: number };

export type Flow = {
  name: string;
  /** True for a flow of the sender under test. */
  isMedia: boolean;
  direction: Direction;
  /** Priority: rates should be in the ratio of the weights. */
  weight: number;
  /**
   * Highest rate that the flow uses, bit/s; Infinity for a flow that takes what it gets. A flow beside the media with a
   * finite demand is one of constant rate.
   */
  demandBps: number;
  /** When the flow sends. */
  active: readonly Span[];
  /** Values of each bin: bits and packets that left the bottleneck, and packets that its queue dropped. */
  bits: readonly number[];
  sentPackets: readonly number[];
  droppedPackets: readonly number[];
  /** Median time in the queue of what left in the bin, ms; null if nothing left. */
  delayMs: readonly (number | null)[];
};

export type Course = {
  windowMs: number;
  binMs: number;
  flows: readonly Flow[];
  /** Bottleneck of each direction; null without one. */
  bottlenecks: Readonly<Record<Direction, Pick<Bottleneck, 'rateBps' | 'schedule'> | null>>;
};

/**
 * Part of a span in which the capacity of a direction and the set of its active flows are constant. Traffic of constant
 * rate takes its part of the capacity (RFC 8867, section 4.2) and is not among the flows.
 */
export type Stretch = Span & { direction: Direction; capacityBps: number; flows: readonly Flow[] };

const isConstant = ({ isMedia, demandBps }: Flow) => !isMedia && Number.isFinite(demandBps);

/** Returns the parts of a span outside of the pauses, which are in order. */
export function without(span: Span, pauses: readonly Span[]): Span[] {
  const edges = [span.fromMs, ...pauses.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), span.toMs];
  const parts = edges.flatMap((fromMs, k) => (k % 2 === 0 ? [{ fromMs, toMs: edges[k + 1]! }] : []));
  return parts.filter(({ fromMs, toMs }) => fromMs < toMs);
}

const isActive = ({ active }: Flow, atMs: number): boolean =>
  active.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);

/** Returns the sum over the bins whose middle lies in the span. */
export function sumIn(values: readonly number[], binMs: number, { fromMs, toMs }: Span): number {
  let sum = 0;
  for (let k = Math.max(0, Math.ceil(fromMs / binMs - 0.5)); (k + 0.5) * binMs < toMs && k < values.length; k++)
    sum += values[k]!;
  return sum;
}

/** Returns the rate of the flows together in the span, bit/s. */
export function rateBps(flows: readonly Flow[], { binMs }: Pick<Course, 'binMs'>, span: Span): number {
  return (flows.reduce((sum, { bits }) => sum + sumIn(bits, binMs, span), 0) * 1000) / (span.toMs - span.fromMs);
}

/** Returns the stretches of a direction in the span. Empty if the direction has no bottleneck. */
export function stretchesOf({ flows, bottlenecks }: Course, direction: Direction, { fromMs, toMs }: Span): Stretch[] {
  const bottleneck = bottlenecks[direction];
  if (bottleneck === null) return [];
  const own = flows.filter(flow => flow.direction === direction);
  const edges = [
    fromMs,
    ...bottleneck.schedule.map(({ atMs }) => atMs),
    ...own.flatMap(({ active }) => active.flatMap(span => [span.fromMs, span.toMs])),
    toMs,
  ];
  const times = [...new Set(edges.filter(ms => ms >= fromMs && ms <= toMs))].sort((a, b) => a - b);
  return times.slice(1).map((endMs, k) => {
    const active = own.filter(flow => isActive(flow, times[k]!));
    const takenBps = active.filter(isConstant).reduce((sum, { demandBps }) => sum + demandBps, 0);
    return {
      direction,
      fromMs: times[k]!,
      toMs: endMs,
      capacityBps: Math.max(0, meanRateBps(bottleneck, times[k]!, endMs) - takenBps),
      flows: active.filter(flow => !isConstant(flow)),
    };
  });
}

/** Returns the rate that the flows of a stretch can use together, bit/s. */
export const usableBps = ({ capacityBps, flows }: Stretch): number =>
  Math.min(
    capacityBps,
    flows.reduce((sum, { demandBps }) => sum + demandBps, 0),
  );

/** Returns the max-min fair rate of a flow of the stretch, bit/s. Media flows count by their weights. */
export function fairBps({ capacityBps, flows }: Stretch, flow: Flow): number {
  const parties = flows.flatMap(one => Array.from({ length: one.weight }, () => one));
  const parts = maxMinParts(
    capacityBps,
    parties.map(({ demandBps, weight }) => demandBps / weight),
  );
  return parts.reduce((sum, part, k) => sum + (parties[k] === flow ? part : 0), 0);
}

/**
 * Returns the time after the start of the span from which `holds` is true, ms: over the next `windowMs`, and over the
 * next `holdMs` or the rest of the span. The length of the span if it never is.
 */
export function timeUntil(
  { fromMs, toMs }: Span,
  { binMs }: Pick<Course, 'binMs'>,
  { windowMs, holdMs }: { windowMs: number; holdMs: number },
  holds: (span: Span) => boolean,
): number {
  for (let atMs = fromMs; atMs + windowMs <= toMs; atMs += binMs) {
    const until = (ms: number) => ({ fromMs: atMs, toMs: Math.min(toMs, atMs + ms) });
    if (holds(until(windowMs)) && holds(until(holdMs))) return atMs - fromMs;
  }
  return toMs - fromMs;
}
