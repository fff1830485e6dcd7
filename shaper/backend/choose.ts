/**
 * Choice of the backend for a link.
 *
 * A physical link needs 303 us for a full packet at 40 Mbit/s. After a pause, the kernel's HTB and TBF pass the first
 * packets at once. Samples of the delivery rate are then ten times the link's rate, and a sender that keeps the highest
 * sample (BBR) uses that rate. The effect ends at a few serialisation times: from the base round-trip time
 * `unseenFromMs` on, links of all backends gave the same measurements. A backend that serialises is therefore
 * preferred. The kernel is chosen in two cases: if no other backend can form the link and no flow can detect the
 * difference, or if the definition names the kernel.
 */

import { CoexistError } from '../../core/errors.ts';
import { boundOf } from '../../core/plugins.ts';
import { formatDuration } from '../../core/text/units.ts';
import { type KernelBackendId, type KernelShaper, kernelParts } from '../../core/vocabulary/backends.ts';
import {
  type BackendId,
  baseRttOf,
  fullFrameBytes,
  inDirection,
  type Link,
  type Path,
} from '../../core/vocabulary/link.ts';
import type { Aqm, BoundAqm } from '../aqm/bound-aqm.ts';
import { aqmLimit } from '../aqm/limit.ts';
import { type Leaf, shapers } from '../tc/shapers.ts';
import type { Capabilities } from './capabilities.ts';
import { outsideObstacles, shellObstacles, shellPathObstacles } from './mahimahi-obstacles.ts';

export type LinkAqms = { down: BoundAqm; up: BoundAqm | null };

export function aqmsOf({ aqm, up }: Pick<Link, 'aqm' | 'up'>, aqms: ReadonlyMap<string, Aqm>): LinkAqms {
  return { down: boundOf(aqms, aqm, 'AQM'), up: up === null ? null : boundOf(aqms, up.aqm, 'AQM') };
}

/**
 * Limits from which a flow cannot detect that a link passes packets early: the flow's base round-trip time is at least
 * `serialisationTimes` serialisation times of a full packet, and at least `leastMs`.
 */
const unseen = { serialisationTimes: 10, leastMs: 2 } as const;

/**
 * Returns the shortest base round-trip time, ms, from which flows cannot detect that `link` passes packets early. The
 * lowest rate of the link counts.
 */
export function unseenFromMs(link: Pick<Link, 'rateBps' | 'schedule' | 'bytes'> & Partial<Pick<Link, 'up'>>): number {
  const lowestBps = Math.min(
    ...[link, ...(link.up == null ? [] : [link.up])].flatMap(({ rateBps, schedule }) => [
      rateBps,
      ...schedule.map(step => step.rateBps),
    ]),
  );
  return Math.max(unseen.leastMs, (unseen.serialisationTimes * fullFrameBytes(link) * 8000) / lowestBps);
}

const paths = (link: Pick<Link, 'paths'>) => Object.values(link.paths);
const hasDelay = ({ downMs, upMs, rttMs }: Path) => downMs > 0 || upMs > 0 || (rttMs ?? 0) > 0;
const needsLine = ({ jitterMs, reorder, duplicateRatio }: Path) =>
  jitterMs > 0 || reorder !== null || duplicateRatio > 0;

/** Shortest base round-trip time of all senders, ms. */
const shortestRttMs = (link: Link) => Math.min(...paths(link).map(baseRttOf));

/**
 * Returns the backends to try, the preferred one first. For delays, a kernel shaper uses netem, or the delay line if
 * netem cannot form the delays.
 */
function candidates(asked: Link['backend']): readonly BackendId[] {
  if (asked === 'auto') return ['emulator', 'tc', 'tc+line'];
  return asked === 'tc' || asked === 'tbf' || asked === 'netem' ? [asked, `${asked}+line`] : [asked];
}

async function line(can: Capabilities): Promise<string[]> {
  const noLine = await can.line();
  return noLine === null ? [] : [`no delay line (${noLine})`];
}

/** Returns the queue of `link` as a leaf for tc; null if no kernel has its AQM. */
export function leafOf(link: Link, aqm: BoundAqm): Leaf | null {
  return aqm.tc(aqmLimit(link));
}

/** Returns the reasons why the kernel shaper cannot form the bottleneck of one direction; empty if it can. */
async function queueObstacles(shaper: KernelShaper, link: Link, aqm: BoundAqm, can: Capabilities): Promise<string[]> {
  if (link.trace !== null) return ['the kernel cannot follow a trace'];
  if (link.queue.unit === 'ms' && link.schedule.length > 0)
    return ['a queue limit in ms would not follow the changes of the rate: give it in packets or bytes'];
  const leaf = leafOf(link, aqm);
  const noAqm = leaf === null ? 'no kernel has it' : await can.qdisc(`${leaf.kind} ${leaf.words}`);
  const noLoss = link.loss === null ? null : await can.loss();
  return [
    ...(noAqm === null ? [] : [`no ${aqm.title} in this kernel (${noAqm})`]),
    ...(leaf === null ? [] : shapers[shaper].lacks(link, leaf)),
    ...(noLoss === null ? [] : [`no random loss (${noLoss})`]),
  ];
}

async function kernelObstacles(id: KernelBackendId, link: Link, aqms: LinkAqms, can: Capabilities): Promise<string[]> {
  const { shaper, hasLine } = kernelParts(id);
  const noShaper = await can.qdisc(shapers[shaper].probe);
  const noNetem = !hasLine && paths(link).some(hasDelay) ? await can.netem() : null;
  const queues = await Promise.all(
    managed(link, aqms).map(async one => inPlace(one.name, await queueObstacles(shaper, one.link, one.aqm, can))),
  );
  return [
    ...(noShaper === null ? [] : [`no ${shaper} in this kernel (${noShaper})`]),
    ...queues.flat(),
    ...(noNetem === null ? [] : [`no delay (netem: ${noNetem})`]),
    ...(!hasLine && paths(link).some(needsLine) ? ['netem cannot delay at random without reordering'] : []),
    ...(hasLine ? await line(can) : []),
  ];
}

async function mahimahiObstacles(link: Link, aqms: LinkAqms, can: Capabilities): Promise<string[]> {
  const noShells = await can.shells();
  return [
    ...(noShells === null ? [] : [noShells]),
    ...managed(link, aqms).flatMap(one => inPlace(one.name, shellObstacles(one.link, one.aqm))),
    ...shellPathObstacles(link),
  ];
}

/** Returns the obstacles of one direction with the name of the direction, if it is not the first. */
const inPlace = (name: string, obstacles: readonly string[]) =>
  obstacles.map(what => (name === 'link' ? what : `${name}: ${what}`));

/** Returns the directions of `link` that have a bottleneck, with their names and AQMs. */
function managed(link: Link, { down, up }: LinkAqms): { name: string; link: Link; aqm: BoundAqm }[] {
  return [
    { name: 'link', link, aqm: down },
    ...(up === null ? [] : [{ name: 'link.up', link: inDirection(link, 'up'), aqm: up }]),
  ];
}

/** Returns the reasons why the backend `id` cannot form the link; empty if it can. */
async function obstacles(id: BackendId, link: Link, aqms: LinkAqms, can: Capabilities): Promise<string[]> {
  if (id === 'mahimahi') return mahimahiObstacles(link, aqms, can);
  if (id === 'outside') {
    const none = await can.shellsAround();
    return [...(none === null ? [] : [none]), ...outsideObstacles(link)];
  }
  if (id !== 'emulator') return kernelObstacles(id, link, aqms, can);
  const lacking = managed(link, aqms).filter(({ aqm }) => aqm.emulated === null);
  return [...lacking.map(({ aqm }) => `it has no ${aqm.title}`), ...(await line(can))];
}

/**
 * Returns the preferred backend of those that can form `link`. Throws `missing-kernel-feature` with the obstacles of
 * each backend if none can, or `bad-definition` if an AQM refuses the limit of its queue.
 */
export async function chooseBackend(link: Link, aqms: LinkAqms, can: Capabilities): Promise<BackendId> {
  for (const { name, link: one, aqm } of managed(link, aqms)) {
    const nonsense = aqm.refuse(aqmLimit(one));
    if (nonsense !== null) throw new CoexistError('bad-definition', `${name}.queue: ${nonsense}`);
  }
  const neededMs = unseenFromMs(link);
  const isSeen = link.backend === 'auto' && shortestRttMs(link) < neededMs;
  const lacking: string[] = [];
  const earlyWords = () =>
    'it lets packets through early, which a flow sees below a base round-trip time of ' +
    `${formatDuration(neededMs)} (here ${formatDuration(shortestRttMs(link))})`;
  let early: BackendId | undefined;
  for (const id of candidates(link.backend)) {
    const found = await obstacles(id, link, aqms, can);
    if (found.length === 0 && (id === 'emulator' || !isSeen)) return id;
    if (found.length === 0) early ??= id;
    lacking.push(`${id}: ${found.join(', ') || earlyWords()}`);
  }
  const hint =
    early !== undefined
      ? 'set link.backend=tc to accept a link that lets packets through early, ' +
        `or link.rtt to ${formatDuration(Math.ceil(neededMs))} or more`
      : `"npm run doctor" tells what each needs${link.backend === 'auto' ? '' : '; without link.backend one that can is taken'}`;
  throw new CoexistError('missing-kernel-feature', `this machine cannot form the link: ${lacking.join('; ')}`, {
    hint,
  });
}
