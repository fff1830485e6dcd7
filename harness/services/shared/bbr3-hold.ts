/**
 * This project's BBRv3 in the kernel, held by the services that use it. It is loaded once for the whole kernel, with
 * one budget (shaper/bbr3): services in use at one time have to agree, or the later one would take it away from the
 * earlier one.
 */
import { CoexistError } from '../../../core/errors.ts';
import { leaseDirectory, usersOf } from '../../../core/lease.ts';
import type { LeaseRecord } from '../../../core/lease.ts';
import { inTurn } from '../../../core/turn.ts';
import { bbr3Name, ensureBbr3 } from '../../../shaper/bbr3/loader.ts';
import type { Bbr3Budget, Bbr3Identity } from '../../../shaper/bbr3/telemetry.ts';
import type { StudyContext } from '../service.ts';

export type HeldBbr3 = { identity: Bbr3Identity; release(): void };

/** Budgets of those that hold it now, one entry each. */
const held: Bbr3Budget[] = [];

/**
 * Loads it where it is not there. Throws `bad-definition` while somebody in this process holds it with another budget,
 * `missing-congestion-control` while another run does. From then on the lease lists it, where runs have put it there:
 * the last one of them takes it away.
 */
export function holdBbr3(
  lease: StudyContext['lease'],
  budget: Bbr3Budget,
  ensure: typeof ensureBbr3 = ensureBbr3,
  users: () => readonly Pick<LeaseRecord, 'id' | 'owner'>[] = () => usersOf(bbr3Name),
): Promise<HeldBbr3> {
  return inTurn(leaseDirectory(), bbr3Name, async () => {
    const other = held.find(one => one !== budget);
    if (other !== undefined) {
      throw new CoexistError(
        'bad-definition',
        `two applications want BBRv3 at once with different budgets, "${other}" and "${budget}"; the kernel has it once`,
        {
          hint: 'give them the same bbr3Budget',
        },
      );
    }
    const others = users().filter(({ id }) => id !== lease.id);
    // listed before it is counted on, so that nobody takes it away meanwhile
    if (others.length > 0) lease.addCongestionControl(bbr3Name);
    // other leases of this process are other lanes, of which none holds it with another budget
    const isOwn = lease.congestionControls.includes(bbr3Name) && others.every(({ owner }) => owner.pid === process.pid);
    const identity = await ensure(() => lease.addCongestionControl(bbr3Name), { budget, isOwn });
    held.push(budget);
    let isReleased = false;
    return {
      identity,
      release: () => {
        if (!isReleased) held.splice(held.indexOf(budget), 1);
        isReleased = true;
      },
    };
  });
}
