/** A link as the native program takes it (shaper/native/link): with the bottleneck for an emulated link, without for a delay line. */
import { overheadBytes, wayOf } from '../../core/link.ts';
import type { Link, LossModel, Way } from '../../core/link.ts';
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
    direction: 'down', peer, delayUs: us(downMs), ...(jitterMs > 0 ? { jitter: { maxUs: us(jitterMs) } } : {}),
    ...(reorder === null ? {} : { reorder: { ratio: reorder.ratio, delayUs: us(reorder.delayMs) } }),
    ...(duplicateRatio > 0 ? { duplicateRatio } : {}), loss,
  };
}

const upPath = (peer: string, { upMs }: Way): LinkPath | null => (upMs > 0 ? { direction: 'up', peer, delayUs: us(upMs) } : null);

function paths(ways: Link['ways'], left: Left, loss: LossModel | null, bottleneck: boolean): LinkPath[] {
  return left.flatMap(({ host: { name }, address }) => {
    const way = wayOf(ways, name);
    return [downPath(address, way, loss, bottleneck), upPath(address, way)];
  }).filter(path => path !== null);
}

/** `ways`: with delays that are settled (a normalised round-trip time made into a delay). */
export function lineConfiguration(ways: Link['ways'], left: Left, seed: number): LinkConfig {
  return {
    seed, overheadBytes: overheadBytes.ethernet, bottleneck: null, paths: paths(ways, left, null, false),
  };
}

/** The limits of a link's queue: one of them, by what the link counts in. */
export function emulatorLimits(link: Link): Pick<LinkBottleneck, 'limitPackets' | 'limitBytes'> {
  const { unit, packets, bytes } = aqmLimit(link);
  return unit === 'packets' ? { limitPackets: packets, limitBytes: null } : { limitPackets: null, limitBytes: bytes };
}

export function emulatorConfiguration(link: Link, ways: Link['ways'], aqm: LinkAqm, left: Left, seed: number): LinkConfig {
  return {
    seed, overheadBytes: overheadBytes[link.bytes], paths: paths(ways, left, link.loss, true),
    bottleneck: {
      rateBps: link.rateBps, ...emulatorLimits(link), aqm, ecn: link.ecn, trace: link.trace === null ? null : { file: link.trace },
      schedule: link.schedule.map(({ atMs, rateBps, rampMs }) => ({ atUs: us(atMs), rateBps, rampUs: us(rampMs) })),
    },
  };
}
