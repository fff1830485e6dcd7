/**
 * Bottlenecks of a link in a row. The first one has the fields of the link; the others (`further`) follow it towards
 * the clients. The delays of a path come before the first bottleneck that it crosses.
 */
import { type Direction, type HopSpan, inDirection, type Link, type Path, plainPath, queueLimitForms } from './link.ts';

/** Largest number of bottlenecks in a row. */
export const mostHops = 4;

/** Bottleneck of a link. `hop`: its place in the row, from 1. */
export type Place = { hop: number; direction: Direction };

export const isSamePlace = (a: Place, b: Place): boolean => a.hop === b.hop && a.direction === b.direction;

/**
 * Returns the name of a bottleneck in results: "up" for the one from the clients, "hop-2" and "hop-2-up" for the second
 * of a row. The first bottleneck towards the clients has none: it is the link itself.
 */
const placeName = ({ hop, direction }: Place): string =>
  [...(hop === 1 ? [] : [`hop-${hop}`]), ...(direction === 'up' ? ['up'] : [])].join('-');

/** Names that no application may have, because they are those of bottlenecks. */
export const isPlaceName = (name: string) => /^(hop-\d+(-up)?|up)$/.test(name);

/** Returns true if the bottleneck with this name has a value of the quantity (harness/analysis/metrics/metric.ts). */
export const isOfPlace = (
  { perHop, perDirection }: { perHop?: true | undefined; perDirection?: true | undefined },
  name: string,
): boolean => (/(^|-)up$/.test(name) ? perDirection : perHop) === true;

/** Returns the bottlenecks of a link without the first one towards the clients, in the order of the row. */
export function furtherPlaces({ up, further = [] }: Pick<Link, 'up' | 'further'>): (Place & { name: string })[] {
  return [up, ...further.map(hop => hop.up)].flatMap((own, k) =>
    [
      ...(k === 0 ? [] : [{ hop: k + 1, direction: 'down' as const }]),
      ...(own == null ? [] : [{ hop: k + 1, direction: 'up' as const }]),
    ].map(place => ({ ...place, name: placeName(place) })),
  );
}

/** True if packets on the path cross the bottleneck at this place in the row. */
export function isCrossed(path: Pick<Path, 'crosses'> | undefined, hop: number): boolean {
  const { from, to } = spanOf(path?.crosses, Infinity);
  return from <= hop && hop <= to;
}

/** Returns the place of the first bottleneck in the row that an application crosses, from 1. */
export const firstHopOf = ({ paths }: Pick<Link, 'paths'>, application: string): number =>
  paths[application]?.crosses?.from ?? 1;

/** Returns the paths that cross a bottleneck, as it sees them: with their delays at the first one of each alone. */
function pathsAt(paths: Link['paths'], hop: number): Link['paths'] {
  const crossing = Object.entries(paths).filter(([, path]) => isCrossed(path, hop));
  return Object.fromEntries(
    crossing.map(([name, { crosses, ...path }]) => [name, (crosses?.from ?? 1) === hop ? path : plainPath]),
  );
}

/**
 * Returns the link of each bottleneck with the paths that cross it, in the order from the servers to the clients.
 * Limits of queues in BDP are those of the longest path of the whole link, in bytes.
 */
export function hopsOf(link: Link): Link[] {
  const { further = [], ...shared } = link;
  const isWhole = Object.values(link.paths).every(({ crosses }) => crosses === undefined);
  return [link, ...further].map((hop, k): Link => {
    if (k === 0 && isWhole) return link;
    const { up } = hop;
    const bounded = <T extends Pick<Link, 'rateBps' | 'queue' | 'trace'>>(one: T): T =>
      one.queue.unit === 'bdp'
        ? { ...one, queue: { unit: 'bytes', value: Math.round(queueLimitForms({ ...link, ...one }).bytes) } }
        : one;
    const behind = further.slice(k);
    return {
      ...shared,
      ...bounded(hop),
      up: up == null ? null : bounded(up),
      paths: pathsAt(link.paths, k + 1),
      ...(behind.length === 0 ? {} : { further: behind }),
    };
  });
}

/** Bottlenecks of a link in one direction, in the order of the row. `hop`: place in it, from 1. */
export const rowOf = (link: Link, direction: Direction): { hop: number; link: Link }[] =>
  hopsOf(link).flatMap((own, k) =>
    direction === 'up' && own.up == null ? [] : [{ hop: k + 1, link: inDirection(own, direction) }],
  );

/** Bottlenecks of a link that an application sends through, in the order of the row. */
export const ownRowOf = (link: Link, { name, direction }: { name: string; direction: Direction }) =>
  rowOf(link, direction).filter(({ hop }) => isCrossed(link.paths[name], hop));

/**
 * Returns the name of a bottleneck in messages. `hop`: its place in the row, from 1; missing if the link has only one
 * place with bottlenecks.
 */
export function bottleneckName({ direction, hop }: { direction?: Direction; hop?: number }): string {
  const name = hop === undefined ? 'the link' : `bottleneck ${hop}`;
  return direction === 'up' ? `${name} from the clients` : name;
}

/** Returns a span in a row of `hops` bottlenecks. Null or undefined: the whole row. */
export const spanOf = (crosses: HopSpan | null | undefined, hops: number): HopSpan => crosses ?? { from: 1, to: hops };

/** Returns the largest number of bottlenecks in a row of the links. */
export const hopCount = (links: readonly { further?: readonly unknown[] }[]): number =>
  1 + Math.max(0, ...links.map(({ further }) => further?.length ?? 0));
