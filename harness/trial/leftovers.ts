/**
 * Removes what killed runs left on the machine: everything that their leases list, unreadable leases, scratch folders,
 * and BBRv3 in the kernel; restores the settings that they list. Nothing else.
 */
import { readFileSync, rmSync } from 'node:fs';
import { removeNotedGroups } from '../../core/system/control-group.ts';
import { restoreSettings } from '../../core/system/foreign-settings.ts';
import { orphanedLeases, removeTornLeases } from '../../core/system/lease.ts';
import { isAlive } from '../../core/system/process-id.ts';
import { removeLeftScratch } from '../../core/system/scratch.ts';
import { counted } from '../../core/text/counted.ts';
import { bbr3Name, removeLeftBbr3 } from '../../shaper/bbr3/loader.ts';
import { removeLeftPrecedence } from '../../shaper/precedence/precedence.ts';
import { removeNamespaces } from '../../shaper/topology/namespace-host.ts';
import { removeUplink } from '../../shaper/topology/uplink.ts';

type Cleaned = {
  /** Number of killed runs. Each may have held several leases. */
  runs: number;
  namespaces: string[];
  processes: string[];
  congestionControls: string[];
  uplinks: string[];
  /** Names of settings that were restored. */
  settings: string[];
};

export async function removeLeftovers(): Promise<Cleaned> {
  const cleaned: Cleaned = {
    runs: 0,
    namespaces: [],
    processes: [],
    congestionControls: [],
    uplinks: [],
    settings: [],
  };
  const owners = new Set<string>();
  for (const { file, record } of orphanedLeases()) {
    // the owner of a lease that only waited for its turn has started nothing
    if (record.turn === undefined) owners.add(`${record.owner.pid} ${record.owner.startTicks}`);
    for (const leftover of record.processes.filter(isAlive)) {
      try {
        process.kill(leftover.pid, 'SIGKILL');
        cleaned.processes.push(`${leftover.name} (${leftover.pid})`);
      } catch {
        continue; // it has ended in the meantime
      }
    }
    cleaned.namespaces.push(...(await removeNamespaces(record.namespaces)));
    for (const uplink of record.uplinks) {
      await removeUplink(uplink);
      cleaned.uplinks.push(uplink.name);
    }
    cleaned.settings.push(...(await restoreSettings(record.settings ?? [])));
    removeLeftPrecedence(record.scratch);
    await removeNotedGroups(record.scratch);
    rmSync(record.scratch, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
  cleaned.runs = owners.size;
  cleaned.congestionControls.push(...(await removeLeftCongestionControls()));
  removeTornLeases();
  removeLeftScratch();
  return cleaned;
}

/**
 * Removes BBRv3 from the kernel unless it is in use there. The kernel is asked, since leases of a run in another
 * container are not visible here. A BBRv3 that cannot be removed does no harm and stays, so that the other steps go on.
 */
async function removeLeftCongestionControls(): Promise<string[]> {
  try {
    const offered = readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').trim().split(' ');
    return offered.includes(bbr3Name) && (await removeLeftBbr3()) ? [bbr3Name] : [];
  } catch {
    return [];
  }
}

/**
 * Returns text such as "removed what 1 killed run left: 4 namespaces, 2 processes"; undefined if nothing was removed.
 */
export function describeCleaned({
  runs,
  namespaces,
  processes,
  congestionControls,
  uplinks,
  settings,
}: Cleaned): string | undefined {
  if (runs === 0 && congestionControls.length === 0) return undefined;
  const things = [
    ...(runs === 0 ? [] : [counted(namespaces.length, 'namespace'), counted(processes.length, 'process', 'processes')]),
    ...congestionControls.map(name => `congestion control ${name}`),
    ...uplinks.map(name => `uplink ${name}`),
    ...(settings.length === 0 ? [] : [counted(settings.length, 'changed setting')]),
  ].join(', ');
  return `removed what ${runs === 0 ? 'a killed run' : counted(runs, 'killed run')} left: ${things}`;
}
