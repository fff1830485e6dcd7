/** Phases of the measured window: periods between the rate steps of a link. */

import { formatRate } from '../../core/text/units.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { ReportData } from '../report.ts';
import type { ChartPhase } from './chart-data.ts';

/** Returns the phases of a link. Empty if the link has a constant rate. A ramp of the rate is a phase too. */
export function linkPhases({ rateBps, schedule }: Pick<Link, 'rateBps' | 'schedule'>, windowMs: number): ChartPhase[] {
  if (schedule.length === 0) return [];
  const begins = [
    { atMs: 0, label: formatRate(rateBps) },
    ...schedule.flatMap((step, i) => {
      const steady = { atMs: step.atMs + step.rampMs, label: formatRate(step.rateBps) };
      return step.rampMs === 0
        ? [steady]
        : [{ atMs: step.atMs, label: `${formatRate(schedule[i - 1]?.rateBps ?? rateBps)} to ${steady.label}` }, steady];
    }),
  ];
  return begins.flatMap(({ atMs, label }, i) => {
    const toMs = Math.min(begins[i + 1]?.atMs ?? windowMs, windowMs);
    return toMs <= atMs ? [] : [{ from: atMs / 1000, to: toMs / 1000, label }];
  });
}

/** Returns the phases that all conditions share. Empty if conditions have different phases. */
export function phasesOf({ plan }: Pick<ReportData, 'plan'>): ChartPhase[] {
  const [first, ...others] = plan.conditions.map(({ link }) => linkPhases(link, plan.run.windowMs));
  return others.every(phases => JSON.stringify(phases) === JSON.stringify(first)) ? (first ?? []) : [];
}
