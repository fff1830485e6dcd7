/** Files that a study uses in addition to shipped ones; their hashes go into the record. */
import { resolve } from 'node:path';
import { boundOf } from '../../core/plugins.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { Chosen } from '../definition/applications.ts';
import type { Service } from '../services/bound-service.ts';

/** Absolute paths of the links' traces and of the files that the services' parameters name. */
export function namedFiles(
  links: readonly Pick<Link, 'trace' | 'up'>[],
  chosen: readonly Chosen[],
  services: ReadonlyMap<string, Service>,
): string[] {
  const traces = links.flatMap(({ trace, up }) => [trace, up?.trace ?? null]).filter(path => path !== null);
  const others = chosen.flatMap(one => boundOf(services, one, 'service').files);
  return [...new Set([...traces, ...others].map(path => resolve(path)))];
}
