/** Paths of a link by the hosts of a lane. The link of a condition has them by application. */
import { type HopSpan, type Link, pathOf, plainPath } from '../../core/vocabulary/link.ts';

/**
 * Returns the link with a path for each host on the left. `users`: applications, with the places of their hosts.
 * `places`: hosts on the left with the bottlenecks that they can cross (null: all); one without an application has a
 * path without delay.
 */
export function withHostPaths(
  link: Link,
  users: readonly { application: { name: string }; pair: readonly number[] }[],
  places: readonly { left: { host: { name: string } }; span: HopSpan | null }[],
): Link {
  const unused = places.map(
    ({ left, span }) => [left.host.name, span === null ? plainPath : { ...plainPath, crosses: span }] as const,
  );
  const used = users.flatMap(({ application: { name }, pair }) =>
    pair.map(place => [places[place]!.left.host.name, pathOf(link.paths, name)] as const),
  );
  return { ...link, paths: Object.fromEntries([...unused, ...used]) };
}
