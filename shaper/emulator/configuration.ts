/** Configuration of coexist-link for a link. An emulated link has a bottleneck; a delay line has none. */
import {
  type Bottleneck,
  inDirection,
  type Link,
  type LossModel,
  overheadBytes,
  type Path,
  pathOf,
} from '../../core/vocabulary/link.ts';
import type { EmulatedAqm } from '../aqm/aqm.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { Topology } from '../topology/topology.ts';
import type { LinkBottleneck, LinkConfig, LinkPath } from './link-types.ts';

type Left = Topology['left'];

const us = (ms: number) => Math.round(ms * 1000);

/** Returns the path towards the client; null if packets would pass it at once and `bottleneck` is false. */
function downPath(peer: string, path: Path, loss: LossModel | null, bottleneck: boolean): LinkPath | null {
  const { downMs, jitterMs, reorder, duplicateRatio } = path;
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

/**
 * Returns the path from the client; null if packets would pass it at once and that direction has no bottleneck (`up` is
 * null).
 */
function upPath(peer: string, { upMs }: Path, up: Pick<Bottleneck, 'loss'> | null): LinkPath | null {
  return upMs > 0 || up !== null
    ? { direction: 'up', peer, delayUs: us(upMs), ...(up === null ? {} : { loss: up.loss }) }
    : null;
}

function linkPaths(
  paths: Link['paths'],
  left: Left,
  down: Pick<Bottleneck, 'loss'> | null,
  up: Pick<Bottleneck, 'loss'> | null,
): LinkPath[] {
  return left
    .flatMap(({ host: { name }, address }) => {
      const path = pathOf(paths, name);
      return [downPath(address, path, down?.loss ?? null, down !== null), upPath(address, path, up)];
    })
    .filter(path => path !== null);
}

/**
 * Returns the configuration of a delay line. `paths`: with settled delays, that is normalised round-trip times
 * converted to delays.
 */
export function lineConfiguration(paths: Link['paths'], left: Left, seed: number): LinkConfig {
  return {
    seed,
    overheadBytes: overheadBytes.ethernet,
    bottleneck: null,
    paths: linkPaths(paths, left, null, null),
  };
}

/** Trace that a bottleneck follows in place of constant values. */
export type PlayedTrace = {
  /** Files of opportunities and of a table in the emulator's formats. */
  trace: string | null;
  table: string | null;
  /** Factor of the opportunities; the rates of the table have it already. */
  times: number;
  /** Time of both at which they start, ms. */
  startMs: number;
  /** True if the table gives the rate. */
  hasRates: boolean;
};
export type PlayedTraces = { down: PlayedTrace | null; up: PlayedTrace | null };

/**
 * Returns the limit of a link's queue in the unit that the link uses. A limit in time follows changes of the rate.
 * `isVaried`: true if the rate follows a table.
 */
export function emulatorLimits(
  link: Link,
  isVaried = false,
): Pick<LinkBottleneck, 'limitPackets' | 'limitBytes' | 'limitUs'> {
  const { unit, packets, bytes } = aqmLimit(link);
  if (link.queue.unit === 'ms' && (link.schedule.length > 0 || isVaried))
    return { limitPackets: null, limitBytes: null, limitUs: us(link.queue.value) };
  return unit === 'packets' ? { limitPackets: packets, limitBytes: null } : { limitPackets: null, limitBytes: bytes };
}

/** Discipline of the emulator in each direction; `up` is null without a bottleneck from the clients. */
export type EmulatedAqms = { down: EmulatedAqm; up: EmulatedAqm | null };

function emulatedBottleneck(link: Link, aqm: EmulatedAqm, played: PlayedTrace | null): LinkBottleneck {
  return {
    rateBps: link.rateBps,
    ...emulatorLimits(link, played?.hasRates),
    aqm,
    ecn: link.ecn,
    ...(played === null ? {} : playedFields(played)),
    schedule: link.schedule.map(({ atMs, rateBps, rampMs }) => ({ atUs: us(atMs), rateBps, rampUs: us(rampMs) })),
  };
}

function playedFields({ trace, table, times, startMs }: PlayedTrace): Partial<LinkBottleneck> {
  return {
    ...(trace === null ? {} : { trace: { file: trace, ...(times === 1 ? {} : { scale: times }) } }),
    ...(table === null ? {} : { table: { file: table } }),
    ...(startMs === 0 ? {} : { offsetUs: us(startMs) }),
  };
}

export function emulatorConfiguration(
  link: Link,
  paths: Link['paths'],
  aqms: EmulatedAqms,
  { left, seed, played = { down: null, up: null } }: { left: Left; seed: number; played?: PlayedTraces },
): LinkConfig {
  return {
    seed,
    overheadBytes: overheadBytes[link.bytes],
    paths: linkPaths(paths, left, link, link.up),
    bottleneck: emulatedBottleneck(link, aqms.down, played.down),
    up: aqms.up === null ? null : emulatedBottleneck(inDirection(link, 'up'), aqms.up, played.up),
  };
}
