/** Applications that share a bottleneck, for the computation of their fair shares. */
import { rowOf } from '../../core/vocabulary/hops.ts';
import { subjectOf } from '../../core/vocabulary/subject.ts';
import type { Condition } from './conditions.ts';

/**
 * Application that sends through the bottleneck of the subject. `isAlike`: true for the subject, and for an application
 * with the same service, tunnel and parameters.
 */
type Party = { name: string; isAlike: boolean };

export type Sharing = { capacityBps: number; subject: string; parties: Party[] };

/**
 * Returns the capacity of the bottleneck in the direction of the subject, and the applications that send through it. Of
 * several bottlenecks in a row, which all of them pass, the slowest has the capacity. Null if there is no such
 * bottleneck, or if a capacity or the set of applications changes during the trial.
 */
export function sharingOf(condition: Condition): Sharing | null {
  const subject = subjectOf(condition);
  const row = rowOf(condition.link, subject.direction);
  const parties = condition.applications.filter(({ direction }) => direction === subject.direction);
  if (
    row.length === 0 ||
    row.some(({ link: { trace, schedule } }) => trace !== null || schedule.length > 0) ||
    parties.some(({ startMs, stopMs }) => startMs !== null || stopMs !== null)
  )
    return null;
  const own = JSON.stringify([subject.service, subject.tunnel]);
  return {
    capacityBps: Math.min(...row.map(({ link }) => link.rateBps)),
    subject: subject.name,
    parties: parties.map(({ name, service, tunnel }) => ({
      name,
      isAlike: JSON.stringify([service, tunnel]) === own,
    })),
  };
}
