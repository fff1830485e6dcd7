/**
 * The project's DCTCP-like TCP in the kernel (shaper/native/dctcp.bpf.c). A registration applies to the whole machine, and
 * ends with the process that holds it. All flows of this process share one holder.
 */
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { localHost, machineOf } from '../../core/system/local-host.ts';
import { checkProgram } from './check-program.ts';
import { HeldProgram } from './held-program.ts';

/** Name by which users ask for it, and its name in the kernel, where a name cannot have a hyphen. */
export const dctcpName = 'dctcp-like';
export const dctcpInKernel = 'dctcp_like';

const build = new URL('../native/build/', import.meta.url);
const loader = fileURLToPath(new URL('coexist-dctcp', build));
const object = fileURLToPath(new URL('dctcp.bpf.o', build));

/** Returns the error for a reason. A registration of another process is a temporary cause, so the trial is repeated. */
function refusal(reason: string): CoexistError {
  if (reason.endsWith('File exists'))
    return new CoexistError('service-failed', `${dctcpName} cannot be used now: another process has registered it`);
  return new CoexistError('missing-congestion-control', `${dctcpName} cannot be used here: ${reason}`, {
    hint: 'it needs Linux 6.4 or newer with BPF and BTF, and root, not that of a user namespace; "npm run setup" builds it',
  });
}

/** Throws `missing-congestion-control` if this machine cannot load it. Registers nothing. */
export function checkDctcp(machine: Host = localHost): Promise<void> {
  return checkProgram(machine, loader, object, refusal);
}

type Holder = { program: Promise<HeldProgram>; users: number };
const holders = new Map<Host, Holder>();

/** A registration until `release`, which is called once. `failed` rejects if its process ends before. */
export type HeldDctcp = { failed: Promise<never>; release(): Promise<void> };

/**
 * Registers it on the machine of `host`, or joins the users of this process's registration. `start`: replaced in tests.
 */
export async function holdDctcp(host: Host, start = startDctcp): Promise<HeldDctcp> {
  const machine = machineOf(host);
  const holder = holders.get(machine) ?? { program: start(machine), users: 0 };
  holders.set(machine, holder);
  holder.users++;
  const release = async () => {
    if (--holder.users > 0) return;
    holders.delete(machine);
    await (await holder.program).stop();
  };
  try {
    return { failed: (await holder.program).failed, release };
  } catch (error) {
    holders.delete(machine);
    throw error;
  }
}

/** Starts the program that registers it on a machine. */
export async function startDctcp(machine: Host): Promise<HeldProgram> {
  const argv = [await machine.give(loader), 'hold', await machine.give(object)];
  return HeldProgram.start(machine, { name: 'holder of dctcp-like', argv, refusal });
}
