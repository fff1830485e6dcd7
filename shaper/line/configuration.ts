/** A link as the native program takes it (shaper/native/link): with the bottleneck for an emulated link, without for a delay line. */
import { overheadBytes } from '../../harness/base/link.ts';
import type { Link, LossModel, Way } from '../../harness/base/link.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { LinkAqm, LinkBottleneck, LinkConfig, LinkPath } from '../native-link/link-types.ts';

type Addresses = Readonly<{ server: string; flooder: string }>;

const us = (ms: number) => Math.round(ms * 1000);

function paths(peer: string, way: Way, loss: LossModel | null): LinkPath[] {
  return [
    {
      direction: 'down', peer, delayUs: us(way.downMs), ...(way.jitterMs > 0 ? { jitter: { maxUs: us(way.jitterMs) } } : {}),
      ...(way.reorder === null ? {} : { reorder: { ratio: way.reorder.ratio, delayUs: us(way.reorder.delayMs) } }),
      ...(way.duplicateRatio > 0 ? { duplicateRatio: way.duplicateRatio } : {}), loss,
    },
    { direction: 'up', peer, delayUs: us(way.upMs) },
  ];
}

/** `ways`: with delays that are settled (a normalised round-trip time made into a delay). */
export function lineConfiguration(ways: Link['ways'], addresses: Addresses, seed: number): LinkConfig {
  return {
    seed, overheadBytes: overheadBytes.ethernet, bottleneck: null,
    paths: [...paths(addresses.server, ways.server, null), ...paths(addresses.flooder, ways.flooder, null)],
  };
}

/** The limits of a link's queue: one of them, by what the link counts in. */
export function emulatorLimits(link: Link): Pick<LinkBottleneck, 'limitPackets' | 'limitBytes'> {
  const { unit, packets, bytes } = aqmLimit(link);
  return unit === 'packets' ? { limitPackets: packets, limitBytes: null } : { limitPackets: null, limitBytes: bytes };
}

export function emulatorConfiguration(link: Link, ways: Link['ways'], aqm: LinkAqm, addresses: Addresses, seed: number): LinkConfig {
  return {
    seed, overheadBytes: overheadBytes[link.bytes],
    paths: [...paths(addresses.server, ways.server, link.loss), ...paths(addresses.flooder, ways.flooder, link.loss)],
    bottleneck: {
      rateBps: link.rateBps, ...emulatorLimits(link), aqm, ecn: link.ecn, trace: link.trace === null ? null : { file: link.trace },
      schedule: link.schedule.map(({ atMs, rateBps, rampMs }) => ({ atUs: us(atMs), rateBps, rampUs: us(rampMs) })),
    },
  };
}
