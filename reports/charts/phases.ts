/** Phases of the measured window: stretches between the steps of a link that changes its rate. */
import type { Link } from '../../harness/base/link.ts';
import { formatRate } from '../../harness/base/units.ts';
import type { ReportData } from '../report.ts';
import type { ChartPhase } from './chart-data.ts';

/** None for a link that stays as it is. */
export function linkPhases({ rateBps, schedule }: Pick<Link, 'rateBps' | 'schedule'>, windowMs: number): ChartPhase[] {
  if (schedule.length === 0) return [];
  const steps = [{ atMs: 0, rateBps }, ...schedule.filter(({ atMs }) => atMs < windowMs)];
  return steps.flatMap((step, i) => {
    const toMs = steps[i + 1]?.atMs ?? windowMs;
    return toMs <= step.atMs ? [] : [{ from: step.atMs / 1000, to: toMs / 1000, label: formatRate(step.rateBps) }];
  });
}

/** Those that all conditions have in common; none where their links differ in that. */
export function phasesOf({ plan }: Pick<ReportData, 'plan'>): ChartPhase[] {
  const [first, ...others] = plan.conditions.map(({ link }) => linkPhases(link, plan.run.windowMs));
  return others.every(phases => JSON.stringify(phases) === JSON.stringify(first)) ? first ?? [] : [];
}
