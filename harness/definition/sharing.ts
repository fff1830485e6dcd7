/** Applications that share a bottleneck, for the computation of their fair shares. */
import { inDirection } from '../../core/vocabulary/link.ts';
import { isFlood, subjectOf } from '../../core/vocabulary/subject.ts';
import type { Application } from './applications.ts';
import type { Condition } from './conditions.ts';

/**
 * Role of an application at the bottleneck. `alike`: it has the same service, tunnel and parameters as the subject.
 * `flood`: it only fills the link.
 */
export type PartyKind = 'subject' | 'alike' | 'flood' | 'other';

export type Sharing = { capacityBps: number; parties: PartyKind[] };

/**
 * Returns the capacity of the bottleneck in the direction of the subject, and the roles of the applications that send
 * through it. Null if there is no such bottleneck, or if its capacity or the set of applications changes during the
 * trial.
 */
export function sharingOf(condition: Condition): Sharing | null {
  const subject = subjectOf(condition);
  if (subject.direction === 'up' && condition.link.up === null) return null;
  const { rateBps, trace, schedule } = inDirection(condition.link, subject.direction);
  const parties = condition.applications.filter(({ direction }) => direction === subject.direction);
  if (
    trace !== null ||
    schedule.length > 0 ||
    parties.some(({ startMs, stopMs }) => startMs !== null || stopMs !== null)
  )
    return null;
  const kindOf = (party: Application): PartyKind =>
    party.name === subject.name
      ? 'subject'
      : isFlood(party)
        ? 'flood'
        : JSON.stringify([party.service, party.tunnel]) === JSON.stringify([subject.service, subject.tunnel])
          ? 'alike'
          : 'other';
  return { capacityBps: rateBps, parties: parties.map(kindOf) };
}
