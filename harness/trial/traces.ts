/** Describes the traces that links follow, before a study and with a trial, and notes what is unusual about them. */
import { hopsOf } from '../../core/vocabulary/hops.ts';
import type { Direction, Link } from '../../core/vocabulary/link.ts';
import { type LinkTrace, traceName } from '../../core/vocabulary/link-trace.ts';
import { describeTable, describeTrace, type LinkTraces, traceNote } from '../../core/vocabulary/trace-facts.ts';
import { tracesOf } from '../../shaper/traces/load.ts';
import type { Finding } from '../record/trial-file.ts';

/**
 * Returns a line for each trace, and a line for each unusual property of it. Throws `bad-definition` if a trace cannot
 * be used.
 */
export function traceLines(links: readonly Link[]): string[] {
  const lines = [...tracesOf(links.flatMap(hopsOf))].flatMap(([key, { opportunities, table }]) => {
    const [trace, direction] = JSON.parse(key) as [LinkTrace, Direction];
    const name = `${traceName(trace)}${direction === 'up' ? ' (up)' : ''}`;
    const note = opportunities === null ? undefined : traceNote(opportunities.facts);
    return [
      ...(opportunities === null ? [] : [`${name}: ${describeTrace(opportunities.facts)}`]),
      ...(table === null ? [] : [`${name}: ${describeTable(table.facts)}`]),
      ...(note === undefined ? [] : [`note: ${name}: ${note}`]),
    ];
  });
  return [...new Set(lines)];
}

/**
 * Returns a note for each unusual property of the traces of a trial's link. `traces`: those of each bottleneck in the
 * row; null if it follows none.
 */
export const traceFindings = (link: Link, traces: readonly (LinkTraces | null)[]): Finding[] =>
  hopsOf(link).flatMap((one, k) => (traces[k] == null ? [] : ofBottleneck(one, traces[k])));

function ofBottleneck({ trace, up }: Pick<Link, 'trace' | 'up'>, traces: LinkTraces): Finding[] {
  const directions = [
    [trace, traces.down],
    [up?.trace ?? null, traces.up],
  ] as const;
  return directions.flatMap(([one, facts]): Finding[] => {
    const note = facts === null ? undefined : traceNote(facts);
    return note === undefined ? [] : [{ kind: 'link', status: 'note', message: `${traceName(one!)}: ${note}` }];
  });
}
