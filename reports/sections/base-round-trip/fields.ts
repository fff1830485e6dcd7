/** Finds conditions that differ only in the link backend and in the base round-trip time. */
import { baseRttMs } from '../../../core/vocabulary/link.ts';
import type { ConditionSummary } from '../../../harness/analysis/summary/summary.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import { floodLabel, type ReportData } from '../../report.ts';

export type Backend = Condition['link']['backend'];

export type Field = {
  flood: string;
  backends: Backend[];
  /** Base round-trip times, ascending. */
  rttsMs: number[];
  at(backend: Backend, rttMs: number): ConditionSummary | undefined;
};

/** Returns groups of such conditions. Each group has several backends and several base round-trip times. */
export function fieldsOf(report: ReportData): Field[] {
  const groups = new Map<string, Condition[]>();
  for (const condition of report.plan.conditions) {
    const {
      link: { backend: _, paths: __, ...link },
      applications,
    } = condition;
    const key = JSON.stringify([link, applications]);
    groups.set(key, [...(groups.get(key) ?? []), condition]);
  }
  return [...groups.values()]
    .map(
      (conditions): Field => ({
        flood: floodLabel(conditions[0]!, report),
        backends: [...new Set(conditions.map(({ link }) => link.backend))],
        rttsMs: [...new Set(conditions.map(({ link }) => baseRttMs(link)))].sort((a, b) => a - b),
        at: (backend, rttMs) => {
          const condition = conditions.find(({ link }) => link.backend === backend && baseRttMs(link) === rttMs);
          return report.summary.conditions.find(({ id }) => id === condition?.id);
        },
      }),
    )
    .filter(({ backends, rttsMs }) => backends.length > 1 && rttsMs.length > 1);
}
