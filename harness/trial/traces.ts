/** Descriptions of the traces that links follow, and notes about unusual ones: before a study and with a trial. */
import { basename } from 'node:path';
import type { Link } from '../../core/vocabulary/link.ts';
import { describeTrace, type LinkTraces, traceNote } from '../../core/vocabulary/trace-facts.ts';
import { tracesOf } from '../../shaper/backend/trace.ts';
import type { Finding } from '../record/trial-file.ts';

/** One line for each trace, and one for anything unusual in it. Throws `bad-definition` if a trace cannot be used. */
export function traceLines(links: readonly Pick<Link, 'trace' | 'up'>[]): string[] {
  return [...tracesOf(links)].flatMap(([file, { facts }]) => {
    const note = traceNote(facts);
    const name = `trace ${basename(file)}`;
    return [`${name}: ${describeTrace(facts)}`, ...(note === undefined ? [] : [`note: ${name}: ${note}`])];
  });
}

/** Notes about anything unusual in the traces of a trial's link. */
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
