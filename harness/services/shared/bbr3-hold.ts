/**
 * Reference counting of this project's BBRv3 in a kernel. It is loaded once for the whole kernel, with one budget
 * (shaper/bbr3). Services that run at the same time have to agree on the budget, or the later one would replace the
 * BBRv3 of the earlier one.
 */
import { CoexistError } from '../../../core/errors.ts';
import { isThisMachine } from '../../../core/host.ts';
import type { Host, OtherMachine } from '../../../core/host.ts';
import { leaseDirectory, usersOf } from '../../../core/lease.ts';
import type { LeaseRecord } from '../../../core/lease.ts';
import { machineOf } from '../../../core/local-host.ts';
import { quoteWord } from '../../../core/shell.ts';
import { inTurn } from '../../../core/turn.ts';
import { bbr3Loader, bbr3Name, ensureBbr3 } from '../../../shaper/bbr3/loader.ts';
import type { Bbr3Budget, Bbr3Identity } from '../../../shaper/bbr3/telemetry.ts';
import type { StudyContext } from '../service.ts';

/** `isOurs`: it was put there by a run, and goes with the last one that uses it. */
export type HeldBbr3 = { identity: Bbr3Identity; isOurs: boolean; release(): void };

/** Of a machine: budgets of those that hold it now, one entry each. */
const heldOn = new WeakMap<Host, Bbr3Budget[]>();
/** Other machines that this process has put it on. */
const putOn = new WeakSet<Host>();

/**
 * Loads it into the kernel of a host where it is not there. Throws `bad-definition` while somebody in this process holds
 * it with another budget, `missing-congestion-control` while another run does. On this machine the lease lists it from
 * then on, where runs have put it there: the last one of them takes it away. Another machine takes it away itself, once
 * this process has left it.
 */
export function holdBbr3(
  host: Host,
  lease: StudyContext['lease'],
  budget: Bbr3Budget,
  ensure: typeof ensureBbr3 = ensureBbr3,
  users: () => readonly Pick<LeaseRecord, 'id' | 'owner'>[] = () => usersOf(bbr3Name),
): Promise<HeldBbr3> {
  return inTurn(leaseDirectory(), bbr3Name, async () => {
    const machine = machineOf(host);
    const held = heldOn.get(machine) ?? [];
    heldOn.set(machine, held);
    const other = held.find(one => one !== budget);
    if (other !== undefined) {
      throw new CoexistError(
        'bad-definition',
        `two applications want BBRv3 at once with different budgets, "${other}" and "${budget}"; the kernel can load only one budget at a time`,
        {
          hint: 'give them the same bbr3Budget',
        },
      );
    }
    const found = isThisMachine(host)
      ? await here(lease, budget, ensure, users())
      : await there(host as OtherMachine, budget, ensure);
    held.push(budget);
    let isReleased = false;
    return {
      ...found,
      release: () => {
        if (!isReleased) held.splice(held.indexOf(budget), 1);
        isReleased = true;
      },
    };
  });
}

async function here(
  lease: StudyContext['lease'],
  budget: Bbr3Budget,
  ensure: typeof ensureBbr3,
  users: readonly Pick<LeaseRecord, 'id' | 'owner'>[],
): Promise<Omit<HeldBbr3, 'release'>> {
  const others = users.filter(({ id }) => id !== lease.id);
  // listed before it is counted on, so that nobody takes it away meanwhile
  if (others.length > 0) lease.addCongestionControl(bbr3Name);
  // other leases of this process are other lanes, of which none holds it with another budget
  const isOwn = lease.congestionControls.includes(bbr3Name) && others.every(({ owner }) => owner.pid === process.pid);
  const identity = await ensure(() => lease.addCongestionControl(bbr3Name), { budget, isOwn });
  return { identity, isOurs: lease.congestionControls.includes(bbr3Name) };
}

async function there(
  machine: OtherMachine,
  budget: Bbr3Budget,
  ensure: typeof ensureBbr3,
): Promise<Omit<HeldBbr3, 'release'>> {
  const beforeLoading = async () => {
    if (putOn.has(machine)) return;
    await machine.undoAtEnd([`${quoteWord(await machine.give(bbr3Loader))} unload`]);
    putOn.add(machine);
  };
  const identity = await ensure(beforeLoading, { budget, isOwn: putOn.has(machine), machine });
  return { identity, isOurs: putOn.has(machine) };
}
