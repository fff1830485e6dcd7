/** Obstacles in the definition of a link for mahimahi's shells. */
import type { Bottleneck, Link, Path } from '../../core/vocabulary/link.ts';
import type { BoundAqm } from '../aqm/bound-aqm.ts';

const isWhole = (ms: number) => Number.isInteger(ms);

function pathObstacles({ downMs, upMs, rttMs, jitterMs, reorder, duplicateRatio }: Path): string[] {
  return [
    ...([downMs, upMs, rttMs ?? 0].every(isWhole) ? [] : ['mm-delay has whole ms: round link.delay and link.rtt']),
    ...(jitterMs > 0 ? ['mm-delay has no jitter'] : []),
    ...(reorder !== null ? ['mm-delay does not reorder packets'] : []),
    ...(duplicateRatio > 0 ? ['no shell duplicates packets'] : []),
  ];
}

/** Returns the reasons why mm-link and mm-loss cannot form the bottleneck of one direction; empty if they can. */
export function shellObstacles(
  { ecn, schedule, trace, loss }: Pick<Bottleneck, 'ecn' | 'schedule' | 'trace' | 'loss'>,
  { shell }: Pick<BoundAqm, 'shell'>,
): string[] {
  return [
    ...(typeof shell === 'string' ? [shell] : []),
    ...(ecn ? ['mm-link does not mark packets with ECN'] : []),
    ...(schedule.length > 0 ? ['mm-link has no schedule'] : []),
    ...(trace !== null ? ['mm-link would begin a trace before the window'] : []),
    ...(loss !== null && loss.kind !== 'independent' ? ['mm-loss has no bursts'] : []),
  ];
}

/** Returns the reasons why the shells cannot form the paths of a link; empty if they can. */
export function shellPathObstacles({ paths }: Pick<Link, 'paths'>): string[] {
  return [...new Set(Object.values(paths).flatMap(pathObstacles))];
}
