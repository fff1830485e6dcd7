/**
 * Bottlenecks of a link in a row. The first one has the fields and the paths of the link; the others (`further`) follow
 * it towards the clients and have no delays of their own.
 */
import { type Direction, type Link, mapPaths, plainPath, queueLimitForms } from './link.ts';

/** Largest number of bottlenecks in a row. */
export const mostHops = 4;

/** Name of a further bottleneck in results, by its place in the row, from 2: "hop-2". */
export const hopName = (hop: number) => `hop-${hop}`;
/** Names of the further bottlenecks of a link, in their order. */
export const hopNames = ({ further = [] }: Pick<Link, 'further'>) => further.map((_, k) => hopName(k + 2));
/** Names that no application may have, because they are those of bottlenecks. */
export const isHopName = (name: string) => /^hop-\d+$/.test(name);

/**
 * Returns the link of each bottleneck, in the order from the servers to the clients. Limits of further queues in BDP
 * are those of the longest path of the whole link, in bytes.
 */
export function hopsOf(link: Link): Link[] {
  const { further = [], ...shared } = link;
  const paths = mapPaths(link.paths, () => plainPath);
  return [
    link,
    ...further.map((hop): Link => {
      const { up } = hop;
      const bounded = <T extends Pick<Link, 'rateBps' | 'queue' | 'trace'>>(one: T): T =>
        one.queue.unit === 'bdp'
          ? { ...one, queue: { unit: 'bytes', value: Math.round(queueLimitForms({ ...link, ...one }).bytes) } }
          : one;
      return { ...shared, ...bounded(hop), up: up === null ? null : bounded(up), paths };
    }),
  ];
}

/**
 * Returns the name of a bottleneck in messages. `hop`: its place in the row, from 1; missing if the link has only one
 * place with bottlenecks.
 */
export function bottleneckName({ direction, hop }: { direction?: Direction; hop?: number }): string {
  const name = hop === undefined ? 'the link' : `bottleneck ${hop}`;
  return direction === 'up' ? `${name} from the clients` : name;
}

/** Returns the largest number of bottlenecks in a row of the links. */
export const hopCount = (links: readonly Pick<Link, 'further'>[]): number =>
  1 + Math.max(0, ...links.map(({ further }) => further?.length ?? 0));
