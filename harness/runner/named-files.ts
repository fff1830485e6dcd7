/** The files that a study is made of beside what is shipped, for their hashes. */
import { resolve } from 'node:path';
import type { Link } from '../../core/link.ts';
import type { Chosen } from '../experiment/applications.ts';
import type { ServicePlugin } from '../services/service.ts';

/** Their whole paths: traces of the links, and what the services' parameters name. */
export function namedFiles(
  links: readonly Pick<Link, 'trace' | 'up'>[],
  chosen: readonly Chosen[],
  services: ReadonlyMap<string, ServicePlugin>,
): string[] {
  const traces = links.flatMap(({ trace, up }) => [trace, up?.trace ?? null]).filter(path => path !== null);
  const others = chosen.flatMap(({ id, params }) =>
    Object.entries(services.get(id)?.files ?? {}).flatMap(([name, isShipped]) => {
      const value = (params as Record<string, unknown>)[name];
      return typeof value !== 'string' || isShipped(value) ? [] : [value];
    }),
  );
  return [...new Set([...traces, ...others].map(path => resolve(path)))];
}
