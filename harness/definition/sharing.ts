/** Applications that share bottlenecks, for the computation of their fair shares. */
import { isCrossed, ownRowOf, rowOf } from '../../core/vocabulary/hops.ts';
import { subjectOf } from '../../core/vocabulary/subject.ts';
import type { Condition } from './conditions.ts';

/**
 * Application that sends in the direction of the subject. `isAlike`: true for the subject, and for an application with
 * the same service, tunnel and parameters.
 */
type Party = { name: string; isAlike: boolean };

/** `bottlenecks`: their capacities, and the positions in `parties` of those that send through each. */
export type Sharing = {
  bottlenecks: { capacity: number; users: number[] }[];
  subject: string;
  parties: Party[];
};

/**
 * Returns the bottlenecks in the direction of the subject with their capacities, bit/s, and the applications that send
 * through them. Null if the subject crosses no bottleneck, or if a capacity or the set of applications changes during
 * the trial.
 */
export function sharingOf({ link, applications, subject: name }: Condition): Sharing | null {
  const subject = subjectOf({ applications, subject: name });
  const { direction } = subject;
  const parties = applications.filter(one => one.direction === direction);
  const row = rowOf(link, direction);
  if (
    ownRowOf(link, subject).length === 0 ||
    row.some(({ link: { trace, schedule } }) => trace !== null || schedule.length > 0) ||
    parties.some(({ startMs, stopMs }) => startMs !== null || stopMs !== null)
  )
    return null;
  const own = JSON.stringify([subject.service, subject.tunnel]);
  return {
    bottlenecks: row.map(({ hop, link: { rateBps } }) => ({
      capacity: rateBps,
      users: parties.flatMap((party, k) => (isCrossed(link.paths[party.name], hop) ? [k] : [])),
    })),
    subject: subject.name,
    parties: parties.map(({ name, service, tunnel }) => ({
      name,
      isAlike: JSON.stringify([service, tunnel]) === own,
    })),
  };
}
