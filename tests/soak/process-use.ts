/** What one process uses while it runs many trials. */
import { readdirSync, readFileSync } from 'node:fs';
import { Place } from '../e2e/support/run-command.ts';
import { type Outcome, wrongEnd } from './cycles.ts';
import { manyTrials } from './studies.ts';
import { growth } from './trend.ts';

type Use = { files: number; memoryMiB: number };

/** Open files and resident memory; undefined where the process has ended. */
function useOf(pid: number): Use | undefined {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).length;
    const rssKiB = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return Number.isFinite(rssKiB) ? { files, memoryMiB: rssKiB / 1024 } : undefined;
  } catch {
    return undefined;
  }
}

/** One study of many trials: what its process uses at the start of each, first third against last. */
export async function useOverTrials(repeats: number): Promise<Outcome> {
  const place = new Place();
  try {
    const session = place.start([...manyTrials(repeats), '--out', place.out]);
    const uses: Use[] = [];
    let seen = 0;
    session.process.stdout!.on('data', () => {
      const trials = session.stdout.match(/^\[\d+\/\d+\] {2}\S/gm)?.length ?? 0;
      const use = trials > seen ? useOf(session.process.pid!) : undefined;
      seen = trials;
      if (use !== undefined) uses.push(use);
    });
    const end = await session.finish(repeats * 2 * 60_000);
    const files = growth(
      uses.map(use => use.files),
      { ratio: 0, amount: 2 },
    );
    const memory = growth(
      uses.map(use => use.memoryMiB),
      { ratio: 0.25, amount: 40 },
    );
    const told = `${files.from} to ${files.to} open files, ${memory.from?.toFixed(0)} to ${memory.to?.toFixed(0)} MiB`;
    return {
      did: `${uses.length} trials in one process: ${told}`,
      problems: [
        ...wrongEnd(end, [0, 3]),
        ...(files.grew || memory.grew ? [`what the process uses grew: ${told}`] : []),
      ],
    };
  } finally {
    await place.run(['clean']);
    place.remove();
  }
}
