/** Finds the user's files that a study names. Their hashes go into the record. */
import { resolve } from 'node:path';
import { boundOf } from '../../core/plugins.ts';
import { hopsOf } from '../../core/vocabulary/hops.ts';
import { traceFiles } from '../../core/vocabulary/link-trace.ts';
import type { Condition } from '../definition/conditions.ts';
import type { Service } from '../services/bound-service.ts';

/**
 * Returns absolute paths of the traces of links and of the files that parameters of services name, without shipped
 * files.
 */
export function namedFiles(conditions: readonly Condition[], services: ReadonlyMap<string, Service>): string[] {
  const traces = conditions.flatMap(({ link }) => hopsOf(link)).flatMap(traceFiles);
  const others = conditions.flatMap(({ applications }) =>
    applications.flatMap(({ service }) => boundOf(services, service, 'service').files),
  );
  return [...new Set([...traces, ...others].map(path => resolve(path)))];
}
