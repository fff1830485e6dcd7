/** Notes about flows whose bandwidth estimate is higher than the link's rate. */
import { firstHopOf, hopsOf } from '../../core/vocabulary/hops.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { Finding, TrialFile } from '../record/trial-file.ts';
import type { ApplicationRun } from './application-run.ts';

export function estimateFindings(
  { backend, phases }: Pick<TrialFile, 'backend' | 'phases'>,
  link: Link,
  applications: readonly Pick<ApplicationRun, 'estimates' | 'file'>[],
): Finding[] {
  if (phases === null || backend === null) return [];
  const window = { startMs: phases.windowStartMs, endMs: phases.windowEndMs };
  const hops = hopsOf(link);
  return applications.flatMap(({ estimates, file: { name, transport } }): Finding[] => {
    if (transport === null) return [];
    const own = hops[firstHopOf(link, name) - 1]!;
    const message = estimates.tooHigh(own, { backend, label: transport.label, window });
    return message === null ? [] : [{ kind: 'estimate', status: 'note', message }];
  });
}
