/** Describes the traces that links follow, before a study and with a trial, and notes what is unusual about them. */
import { basename } from 'node:path';
import type { Link } from '../../core/vocabulary/link.ts';
import { describeTrace, type LinkTraces, traceNote } from '../../core/vocabulary/trace-facts.ts';
import { tracesOf } from '../../shaper/backend/trace.ts';
import type { Finding } from '../record/trial-file.ts';

/**
 * Returns a line for each trace, and a line for each unusual property of it. Throws `bad-definition` if a trace cannot
 * be used.
 */
export function traceLines(links: readonly Pick<Link, 'trace' | 'up'>[]): string[] {
  return [...tracesOf(links)].flatMap(([file, { facts }]) => {
    const note = traceNote(facts);
    const name = `trace ${basename(file)}`;
    return [`${name}: ${describeTrace(facts)}`, ...(note === undefined ? [] : [`note: ${name}: ${note}`])];
  });
}

/** Returns a note for each unusual property of the traces of a trial's link. */
export function traceFindings({ trace, up }: Pick<Link, 'trace' | 'up'>, traces: LinkTraces): Finding[] {
  const directions = [
    [trace, traces.down],
    [up?.trace ?? null, traces.up],
  ] as const;
  return directions.flatMap(([file, facts]): Finding[] => {
    const note = facts === null ? undefined : traceNote(facts);
    return note === undefined ? [] : [{ kind: 'link', status: 'note', message: `trace ${basename(file!)}: ${note}` }];
  });
}
