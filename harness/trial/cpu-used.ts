/** Processor time of the parts of a trial. */
import type { Clock } from '../../core/system/clock.ts';
import { cpuSeconds } from '../../core/system/cpu-seconds.ts';
import type { ApplicationRun } from './application-run.ts';

type CpuUsed = { timeMs: number; seconds: Record<string, number> };

/**
 * Returns the processor seconds used so far: for each host of an application, each end of a tunnel, and the harness.
 */
export async function cpuUsed(applications: readonly ApplicationRun[], clock: Clock): Promise<CpuUsed> {
  const used = await Promise.all(
    applications.flatMap(({ application: { name }, network, path }) =>
      (['server', 'client'] as const).flatMap(end =>
        [
          { what: end, host: network.hosts[end] },
          ...(end === 'server'
            ? []
            : (network.furtherClients ?? []).map(({ host }, k) => ({ what: `client ${k + 2}`, host }))),
          ...(path === network ? [] : [{ what: `tunnel's ${end} end`, host: path.hosts[end] }]),
        ].map(async ({ what, host }) => [`${name} ${what}`, await host.cpuSeconds(await host.processIds())] as const),
      ),
    ),
  );
  return { timeMs: clock.nowMs(), seconds: { ...Object.fromEntries(used), harness: cpuSeconds([process.pid]) } };
}

/** Returns the mean number of cores that each part kept busy between two readings. */
export function cpuRatios(before: CpuUsed, after: CpuUsed): Record<string, number> {
  const elapsedMs = after.timeMs - before.timeMs;
  return Object.fromEntries(
    Object.entries(after.seconds).map(([name, s]) => [name, ((s - (before.seconds[name] ?? 0)) * 1000) / elapsedMs]),
  );
}
