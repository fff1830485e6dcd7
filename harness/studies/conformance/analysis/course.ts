/**
 * Course of a trial at its bottlenecks, in bins of equal length: bytes, drops and queue delays of each flow. Measured
 * trials and trials in virtual time have the same form.
 */
import { maxMinShares } from '../../../../core/stats/fair-share.ts';
import { type Direction, directions } from '../../../../core/vocabulary/direction.ts';
import { isSamePlace, type Place, rowOf } from '../../../../core/vocabulary/hops.ts';
import type { Bottleneck, Link } from '../../../../core/vocabulary/link.ts';
import { meanRateBps } from '../../../../core/vocabulary/rate-schedule.ts';

/** Part of the window, ms from its start. */
export type Span = { fromMs: number; toMs: number };

/** A flow at one bottleneck. A flow that crosses several has an entry for each. */
export type Flow = {
  name: string;
  /** Place of the bottleneck in the row, from 1. */
  hop: number;
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
  /** Last bandwidth estimate of the sender in the bin, bit/s; null if it told none. */
  estimateBps: readonly (number | null)[];
};

export type Course = {
  windowMs: number;
  binMs: number;
  flows: readonly Flow[];
  bottlenecks: readonly CourseBottleneck[];
};

/** A bottleneck with its place in the row. */
export type CourseBottleneck = Place & Pick<Bottleneck, 'rateBps' | 'schedule'>;

export const courseBottlenecks = (link: Link): CourseBottleneck[] =>
  directions.flatMap(direction =>
    rowOf(link, direction).map(({ hop, link: { rateBps, schedule } }) => ({ hop, direction, rateBps, schedule })),
  );

/**
 * Capacity that flows share at a bottleneck. Traffic of constant rate takes its part of the capacity (RFC 8867, section
 * 4.2) and is not among the flows.
 */
type Shared = { capacityBps: number; flows: readonly Flow[] };

/**
 * Part of a span at a bottleneck in which the capacities of its direction and the set of the active flows are constant.
 * `row`: the same at all bottlenecks of the direction.
 */
export type Stretch = Span & Shared & { row: readonly Shared[] };

const isConstant = ({ isMedia, demandBps }: Flow) => !isMedia && Number.isFinite(demandBps);

/** Returns the parts of a span outside of the pauses, which are in order. */
export function without(span: Span, pauses: readonly Span[]): Span[] {
  const edges = [span.fromMs, ...pauses.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), span.toMs];
  const parts = edges.flatMap((fromMs, k) => (k % 2 === 0 ? [{ fromMs, toMs: edges[k + 1]! }] : []));
  return parts.filter(({ fromMs, toMs }) => fromMs < toMs);
}

const isActive = ({ active }: Flow, atMs: number): boolean =>
  active.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);

/** Returns the first bin whose middle lies in the span, and the one behind the last. */
const binsIn = ({ fromMs, toMs }: Span, binMs: number) =>
  [Math.max(0, Math.ceil(fromMs / binMs - 0.5)), Math.ceil(toMs / binMs - 0.5)] as const;

/** Returns the sum over the bins whose middle lies in the span. */
export function sumIn(values: readonly number[], binMs: number, span: Span): number {
  const [first, end] = binsIn(span, binMs);
  let sum = 0;
  for (let k = first; k < end && k < values.length; k++) sum += values[k]!;
  return sum;
}

/** Returns the last estimate of a flow in the span, bit/s; null if there is none. */
export function lastEstimate({ estimateBps }: Flow, { binMs }: Pick<Course, 'binMs'>, span: Span): number | null {
  return estimateBps.slice(...binsIn(span, binMs)).findLast(value => value !== null) ?? null;
}

/** Returns the rate of the flows together in the span, bit/s. */
export function rateBps(flows: readonly Flow[], { binMs }: Pick<Course, 'binMs'>, span: Span): number {
  return (flows.reduce((sum, { bits }) => sum + sumIn(bits, binMs, span), 0) * 1000) / (span.toMs - span.fromMs);
}

function sharedAt(bottleneck: CourseBottleneck, flows: readonly Flow[], { fromMs, toMs }: Span): Shared {
  const active = flows.filter(flow => isSamePlace(flow, bottleneck) && isActive(flow, fromMs));
  const takenBps = active.filter(isConstant).reduce((sum, { demandBps }) => sum + demandBps, 0);
  return {
    capacityBps: Math.max(0, meanRateBps(bottleneck, fromMs, toMs) - takenBps),
    flows: active.filter(flow => !isConstant(flow)),
  };
}

/** Returns the stretches of a bottleneck of the course in the span. */
export function stretchesOf(
  { flows, bottlenecks }: Course,
  bottleneck: CourseBottleneck,
  { fromMs, toMs }: Span,
): Stretch[] {
  const row = bottlenecks.filter(({ direction }) => direction === bottleneck.direction);
  const own = flows.filter(({ direction }) => direction === bottleneck.direction);
  const edges = [
    fromMs,
    ...row.flatMap(({ schedule }) => schedule.map(({ atMs }) => atMs)),
    ...own.flatMap(({ active }) => active.flatMap(span => [span.fromMs, span.toMs])),
    toMs,
  ];
  const times = [...new Set(edges.filter(ms => ms >= fromMs && ms <= toMs))].sort((a, b) => a - b);
  return times.slice(1).map((endMs, k) => {
    const span = { fromMs: times[k]!, toMs: endMs };
    const shared = row.map(one => sharedAt(one, own, span));
    return { ...span, ...shared[row.indexOf(bottleneck)]!, row: shared };
  });
}

/** Returns the rate that the flows of a stretch can use together, bit/s. */
export const usableBps = (stretch: Stretch): number =>
  stretch.flows.reduce((sum, flow) => sum + fairBps(stretch, flow), 0);

/**
 * Returns the max-min fair rate of a flow of the stretch over all bottlenecks of its row, bit/s. Media flows count by
 * their weights.
 */
export function fairBps({ row }: Pick<Stretch, 'row'>, flow: Pick<Flow, 'name'>): number {
  const byName = new Map(row.flatMap(({ flows }) => flows).map(one => [one.name, one]));
  const parties = [...byName.values()].flatMap(one => Array.from({ length: one.weight }, () => one));
  const capacities = row.map(({ capacityBps, flows }) => {
    const names = new Set(flows.map(({ name }) => name));
    return { capacity: capacityBps, users: parties.flatMap(({ name }, k) => (names.has(name) ? [k] : [])) };
  });
  const shares = maxMinShares(
    capacities,
    parties.map(({ demandBps, weight }) => demandBps / weight),
  );
  return shares.reduce((sum, share, k) => sum + (parties[k]!.name === flow.name ? share : 0), 0);
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
