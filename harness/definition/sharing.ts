/** Parties that share a bottleneck. Their fair shares are computed from these. */
import { inDirection } from '../../core/vocabulary/link.ts';
import { isFlood, subjectOf } from '../../core/vocabulary/subject.ts';
import type { Application } from './applications.ts';
import type { Condition } from './conditions.ts';

/**
 * `alike`: another application with the same service and parameters as the subject. `flood`: it only fills the link.
 */
export type PartyKind = 'subject' | 'alike' | 'flood' | 'other';

export type Sharing = { capacityBps: number; parties: PartyKind[] };

/**
 * Returns the bottleneck in the direction of the subject. Null if there is none, or if its capacity or its set of
 * parties changes during the trial.
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
