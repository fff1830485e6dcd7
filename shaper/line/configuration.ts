/**
 * A link as the native program takes it (shaper/native/link): with the bottleneck for an emulated link, without for a
 * delay line.
 */
import { inDirection, overheadBytes, wayOf } from '../../core/link.ts';
import type { Bottleneck, Link, LossModel, Way } from '../../core/link.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { LinkAqm, LinkBottleneck, LinkConfig, LinkPath } from '../native-link/link-types.ts';
import type { Topology } from '../topology/dumbbell.ts';

type Left = Topology['left'];

const us = (ms: number) => Math.round(ms * 1000);

/** The way towards the client; null where a packet that does not meet the bottleneck here would pass at once. */
function downPath(peer: string, way: Way, loss: LossModel | null, bottleneck: boolean): LinkPath | null {
  const { downMs, jitterMs, reorder, duplicateRatio } = way;
  if (!bottleneck && downMs === 0 && jitterMs === 0 && reorder === null && duplicateRatio === 0) return null;
  return {
    direction: 'down',
    peer,
    delayUs: us(downMs),
    ...(jitterMs > 0 ? { jitter: { maxUs: us(jitterMs) } } : {}),
    ...(reorder === null ? {} : { reorder: { ratio: reorder.ratio, delayUs: us(reorder.delayMs) } }),
    ...(duplicateRatio > 0 ? { duplicateRatio } : {}),
    loss,
  };
}

/** The way from the client; null where a packet that does not meet a bottleneck there would pass at once. */
function upPath(peer: string, { upMs }: Way, up: Pick<Bottleneck, 'loss'> | null): LinkPath | null {
  return upMs > 0 || up !== null
    ? { direction: 'up', peer, delayUs: us(upMs), ...(up === null ? {} : { loss: up.loss }) }
    : null;
}

function paths(
  ways: Link['ways'],
  left: Left,
  down: Pick<Bottleneck, 'loss'> | null,
  up: Pick<Bottleneck, 'loss'> | null,
): LinkPath[] {
  return left
    .flatMap(({ host: { name }, address }) => {
      const way = wayOf(ways, name);
      return [downPath(address, way, down?.loss ?? null, down !== null), upPath(address, way, up)];
    })
    .filter(path => path !== null);
}

/** `ways`: with delays that are settled (a normalised round-trip time made into a delay). */
export function lineConfiguration(ways: Link['ways'], left: Left, seed: number): LinkConfig {
  return {
    seed,
    overheadBytes: overheadBytes.ethernet,
    bottleneck: null,
    paths: paths(ways, left, null, null),
  };
}

/** The limits of a link's queue: one of them, by what the link counts in. One in time follows a rate that changes. */
export function emulatorLimits(link: Link): Pick<LinkBottleneck, 'limitPackets' | 'limitBytes' | 'limitUs'> {
  const { unit, packets, bytes } = aqmLimit(link);
  if (link.queue.unit === 'ms' && link.schedule.length > 0)
    return { limitPackets: null, limitBytes: null, limitUs: us(link.queue.value) };
  return unit === 'packets' ? { limitPackets: packets, limitBytes: null } : { limitPackets: null, limitBytes: bytes };
}

/** What the program is told of the queue's management in each direction; `up` is null where that has no bottleneck. */
export type EmulatedAqms = { down: LinkAqm; up: LinkAqm | null };

function emulatedBottleneck(link: Link, aqm: LinkAqm): LinkBottleneck {
  return {
    rateBps: link.rateBps,
    ...emulatorLimits(link),
    aqm,
    ecn: link.ecn,
    trace: link.trace === null ? null : { file: link.trace },
    schedule: link.schedule.map(({ atMs, rateBps, rampMs }) => ({ atUs: us(atMs), rateBps, rampUs: us(rampMs) })),
  };
}

export function emulatorConfiguration(
  link: Link,
  ways: Link['ways'],
  aqms: EmulatedAqms,
  left: Left,
  seed: number,
): LinkConfig {
  return {
    seed,
    overheadBytes: overheadBytes[link.bytes],
    paths: paths(ways, left, link, link.up),
    bottleneck: emulatedBottleneck(link, aqms.down),
    up: aqms.up === null ? null : emulatedBottleneck(inDirection(link, 'up'), aqms.up),
  };
}
