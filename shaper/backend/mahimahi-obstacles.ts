/** Obstacles in the definition of a link for mahimahi's shells: those that Coexist starts, and those around it. */
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

/**
 * Returns the reason why the shells around the command cannot be this link: it asks for more than a rate and the limit
 * of a queue, which only describe them. Empty if it does not.
 */
export function outsideObstacles({ aqm, ecn, loss, schedule, trace, up, paths }: Link): string[] {
  const of = Object.values(paths);
  const asked = [
    ...(aqm.id === 'fifo' ? [] : ['link.queue.aqm']),
    ...(ecn ? ['link.queue.ecn'] : []),
    ...(loss === null ? [] : ['link.loss']),
    ...(schedule.length === 0 ? [] : ['link.schedule']),
    ...(trace === null ? [] : ['link.trace']),
    ...(up === null ? [] : ['link.up']),
    ...(of.some(({ rttMs }) => (rttMs ?? 0) > 0) ? ['link.rtt'] : []),
    ...(of.some(({ downMs, upMs }) => downMs + upMs > 0) ? ['link.delay'] : []),
    ...(of.some(({ jitterMs }) => jitterMs > 0) ? ['link.jitter'] : []),
    ...(of.some(({ reorder }) => reorder !== null) ? ['link.reorder'] : []),
    ...(of.some(({ duplicateRatio }) => duplicateRatio > 0) ? ['link.duplicate'] : []),
  ];
  return asked.length === 0 ? [] : [`the link is there already: leave out ${asked.join(', ')}`];
}
