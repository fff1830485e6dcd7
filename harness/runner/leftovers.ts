/** Removes what killed runs left on the machine: what their leases list, and nothing else. */
import { rmSync } from 'node:fs';
import { removeNotedGroups } from '../../core/control-group.ts';
import { leaseDirectory, orphanedLeases, removeTornLeases } from '../../core/lease.ts';
import { isAlive } from '../../core/process-id.ts';
import { removeTurns } from '../../core/turn.ts';
import { removeNamespaces } from '../../shaper/topology/namespace-host.ts';
import { removeUplink } from '../../shaper/topology/uplink.ts';
import { removeCongestionControls } from './congestion-controls.ts';

type Cleaned = {
  runs: number;
  namespaces: string[];
  processes: string[];
  congestionControls: string[];
  uplinks: string[];
};

export async function removeLeftovers(): Promise<Cleaned> {
  const cleaned: Cleaned = { runs: 0, namespaces: [], processes: [], congestionControls: [], uplinks: [] };
  for (const { file, record } of orphanedLeases()) {
    for (const leftover of record.processes.filter(isAlive)) {
      try {
        process.kill(leftover.pid, 'SIGKILL');
        cleaned.processes.push(`${leftover.name} (${leftover.pid})`);
      } catch {
        continue; // it ended meanwhile
      }
    }
    cleaned.namespaces.push(...(await removeNamespaces(record.namespaces)));
    cleaned.congestionControls.push(...(await removeCongestionControls(record.congestionControls)));
    for (const uplink of record.uplinks) {
      await removeUplink(uplink);
      cleaned.uplinks.push(uplink.name);
    }
    await removeNotedGroups(record.scratch);
    rmSync(record.scratch, { recursive: true, force: true });
    rmSync(file, { force: true });
    cleaned.runs++;
  }
  removeTornLeases();
  removeTurns(leaseDirectory());
  return cleaned;
}

/** "removed what 1 killed run left: 4 namespaces, 2 processes"; undefined where there was nothing. */
export function describeCleaned({
  runs,
  namespaces,
  processes,
  congestionControls,
  uplinks,
}: Cleaned): string | undefined {
  if (runs === 0) return undefined;
  const things = [
    `${namespaces.length} namespaces`,
    `${processes.length} processes`,
    ...congestionControls.map(name => `congestion control ${name}`),
    ...uplinks.map(name => `uplink ${name}`),
  ].join(', ');
  return `removed what ${runs} killed ${runs === 1 ? 'run' : 'runs'} left: ${things}`;
}
