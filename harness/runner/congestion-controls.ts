/** Takes away the TCP congestion controls that runs put into the kernel, when the last one that uses them ends. */
import { leaseDirectory, usersOf } from '../../core/lease.ts';
import type { Lease } from '../../core/lease.ts';
import { inTurn } from '../../core/turn.ts';
import { bbr3Name, unloadBbr3 } from '../../shaper/bbr3/loader.ts';

type Unload = typeof unloadBbr3;

/**
 * Of runs that have forgotten them. Returns those that were there. One that cannot be taken away stays: it harms
 * nobody, and nothing else may fail by it.
 */
export async function removeCongestionControls(
  names: readonly string[],
  unload: Unload = unloadBbr3,
): Promise<string[]> {
  if (!names.includes(bbr3Name)) return [];
  try {
    return (await inTurn(leaseDirectory(), bbr3Name, async () => usersOf(bbr3Name).length === 0 && (await unload())))
      ? [bbr3Name]
      : [];
  } catch {
    return [];
  }
}

/** Those of a run that ends. */
export async function releaseCongestionControls(lease: Lease, unload?: Unload): Promise<void> {
  const names = [...lease.congestionControls];
  for (const name of names) lease.dropCongestionControl(name);
  await removeCongestionControls(names, unload);
}
