/** Finds the user's files that a study names. Their hashes go into the record. */
import { resolve } from 'node:path';
import { boundOf } from '../../core/plugins.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import { traceFiles } from '../../core/vocabulary/link-trace.ts';
import type { Chosen } from '../definition/applications.ts';
import type { Service } from '../services/bound-service.ts';

/**
 * Returns absolute paths of the traces of links and of the files that parameters of services name, without shipped
 * files.
 */
export function namedFiles(
  links: readonly Pick<Link, 'trace' | 'up'>[],
  chosen: readonly Chosen[],
  services: ReadonlyMap<string, Service>,
): string[] {
  const traces = links.flatMap(traceFiles);
  const others = chosen.flatMap(one => boundOf(services, one, 'service').files);
  return [...new Set([...traces, ...others].map(path => resolve(path)))];
}
