/** A bottleneck of a case in virtual time: its rate and queue, and the losses and delays around them. */
import { boundOf } from '../../../core/plugins.ts';
import type { Direction } from '../../../core/vocabulary/direction.ts';
import { classOf, type EcnField } from '../../../core/vocabulary/ecn.ts';
import {
  type Bottleneck,
  fullFrameBytes,
  type Link as LinkModel,
  queueLimitForms,
} from '../../../core/vocabulary/link.ts';
import { playOf } from '../../../core/vocabulary/link-trace.ts';
import { loadTrace } from '../../../shaper/traces/load.ts';
import type { TableRow } from '../../../shaper/traces/table.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { AddedDelay } from '../../virtual/added-delay.ts';
import { Link, type Passes } from '../../virtual/link.ts';
import { RandomLoss } from '../../virtual/random-loss.ts';

/** When the window starts and ends, ms. */
type Window = { fromMs: number; toMs: number };

type VirtualBottleneck = {
  link: Link;
  /** Returns what packets pass: `inner` with the losses and delays of the bottleneck around it. */
  around(inner: Passes, seed: number): Passes;
};

type Aqms = RunnerRegistries['aqms'];

const lawOf = (own: Pick<LinkModel, 'bytes' | 'aqm'>, aqms: Aqms) =>
  boundOf(aqms, own.aqm, 'AQM').law(fullFrameBytes(own));

/**
 * Returns why a bottleneck cannot be had in virtual time; null if it can. `own`: its link in this direction. `fields`:
 * ECN fields of the packets that pass it.
 */
export function bottleneckObstacle(
  own: LinkModel,
  direction: Direction,
  fields: readonly EcnField[],
  aqms: Aqms,
): string | null {
  const kind = lawOf(own, aqms)?.kind;
  if (kind !== 'tail' && kind !== 'dualpi2') return `its queue is ${own.aqm.title}`;
  if (kind === 'dualpi2' && new Set(fields.map(classOf)).size > 1)
    return `its queue is ${own.aqm.title}, with traffic in both of its parts`;
  if (own.trace !== null) {
    const { opportunities, table } = loadTrace(own.trace, direction);
    const isPlain = table !== null && table.facts.rate === null && table.facts.lossRatio === null && !table.linear;
    if (opportunities !== null || !isPlain || playOf(own.trace).startAtMs !== 0)
      return 'its link follows a trace with more than outages and steps of the delay';
  }
  return own.schedule.some(({ rampMs }) => rampMs > 0) ? 'its link changes in ramps' : null;
}

/** Returns the rows of a bottleneck's table, at their times in the run; empty without one. */
function rowsOf({ trace }: Bottleneck, direction: Direction, { fromMs, toMs }: Window): TableRow[] {
  if (trace === null) return [];
  const { rows, periodMs } = loadTrace(trace, direction).table!;
  const isOver = playOf(trace).loop ? rows.slice(0, -1) : rows;
  const times = playOf(trace).loop ? Math.ceil((toMs - fromMs) / periodMs) : 1;
  return Array.from({ length: times }, (_, k) =>
    isOver.map(row => ({ ...row, atMs: fromMs + k * periodMs + row.atMs })),
  ).flat();
}

/**
 * Makes a bottleneck. It must have no obstacle (`bottleneckObstacle`). `own`: its link in this direction, with limits of
 * queues in other units than BDP, or with its paths.
 */
export function virtualBottleneck(own: LinkModel, direction: Direction, window: Window, aqms: Aqms): VirtualBottleneck {
  const law = lawOf(own, aqms);
  const rows = rowsOf(own, direction, window);
  const steps = [
    ...own.schedule.map(({ atMs, rateBps }) => ({ atMs: atMs + window.fromMs, rateBps })),
    ...rows.flatMap(({ atMs, outage }) => (outage === undefined ? [] : [{ atMs, rateBps: outage ? 0 : own.rateBps }])),
  ];
  const delays = rows.flatMap(({ atMs, delayMs }) => (delayMs === undefined ? [] : [{ atMs, delayMs }]));
  return {
    link: new Link({
      steps: [{ atMs: 0, rateBps: own.rateBps }, ...steps],
      queueBytes: queueLimitForms(own).bytes,
      oneWayMs: 0,
      seed: 1,
      ...(law?.kind === 'dualpi2' ? { dualPi2: law } : {}),
    }),
    around(inner, seed) {
      const lossy = own.loss === null ? inner : new RandomLoss(inner, own.loss, seed);
      return delays.length === 0 ? lossy : new AddedDelay(lossy, [{ atMs: 0, delayMs: 0 }, ...delays]);
    },
  };
}
