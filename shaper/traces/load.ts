/** Loads the traces of links: files of opportunities, tables, and tables of generators. */
import { CoexistError, messageOf, systemCode } from '../../core/errors.ts';
import { deriveSeed, seededRandom } from '../../core/random.ts';
import { readRegularBytes } from '../../core/system/regular-file.ts';
import { unknownName } from '../../core/text/nearest.ts';
import type { Direction, Link } from '../../core/vocabulary/link.ts';
import { type LinkTrace, linkTraces, playOf, type TracePlay, traceName } from '../../core/vocabulary/link-trace.ts';
import { generators, makeTable } from './generators.ts';
import { mostTraceBytes, parseTrace, type Trace } from './opportunities.ts';
import { kindOf, parseTable } from './read-table.ts';
import type { Table } from './table.ts';

/** Contents of a trace: opportunities, a table, or both. */
export type LoadedTrace = { opportunities: Trace | null; table: Table | null };

const refuse = (what: string, hint: string) => new CoexistError('bad-definition', `link.trace: ${what}`, { hint });

/** Reads a file. Throws `bad-definition` with the file, the line and the problem if the file is not a trace. */
export function readTrace(file: string): LoadedTrace {
  let bytes: Uint8Array;
  try {
    bytes = readRegularBytes(file, mostTraceBytes);
  } catch (error) {
    const why =
      error instanceof CoexistError
        ? error.message
        : `${file} cannot be read (${systemCode(error) ?? messageOf(error)})`;
    throw refuse(why, 'give the path of a trace (docs/links.md)');
  }
  const kind = kindOf(bytes);
  return kind === 'opportunities'
    ? { opportunities: parseTrace(bytes, file), table: null }
    : { opportunities: null, table: parseTable(bytes, file, kind) };
}

/** Loads the trace of a direction. Throws `bad-definition` if it cannot be used. */
export function loadTrace(trace: LinkTrace, direction: Direction): LoadedTrace {
  const { files, make, loop } = playOf(trace);
  if (make !== null) {
    const known = [...generators.keys()];
    if (!known.includes(make.id))
      throw unknownName('bad-definition', `link.trace.make: there is no generator "${make.id}"`, make.id, known, {
        more: '; "npm run traces -- --list" tells about each. The path of a trace is link.trace.file',
      });
    return { opportunities: null, table: makeTable(make, direction) };
  }
  const read = files.map(readTrace);
  const opportunities = read.flatMap(one => one.opportunities ?? []);
  const tables = read.flatMap(one => one.table ?? []);
  if (opportunities.length > 1 || tables.length > 1)
    throw refuse(
      `${files.join(' and ')} are two ${tables.length > 1 ? 'tables' : 'traces of opportunities'}`,
      'a link follows one file of opportunities and one table at most',
    );
  const [table = null] = tables;
  if (opportunities.length > 0 && table !== null && (table.facts.rate !== null || table.facts.outages !== null))
    throw refuse(
      `${traceName(trace)} give the rate twice`,
      'beside opportunities a table has delay and loss only: a pause of opportunities is an outage',
    );
  if (opportunities.length > 0 && !loop)
    throw refuse(`${traceName(trace)} cannot be played once`, 'a trace of opportunities starts again after its end');
  if (!loop && table?.rows.at(-1)?.outage === true)
    throw refuse(`${traceName(trace)} ends in an outage`, 'a table that is played once ends without one');
  checkStart(trace, { opportunities: opportunities[0] ?? null, table });
  return { opportunities: opportunities[0] ?? null, table };
}

/** Length of a trace, ms: of the opportunities, otherwise of the table. */
const lengthMs = ({ opportunities, table }: LoadedTrace): number =>
  opportunities?.facts.periodMs ?? table?.periodMs ?? 0;

function checkStart(trace: LinkTrace, loaded: LoadedTrace): void {
  const { startAtMs } = playOf(trace);
  if (startAtMs !== 'seeded' && startAtMs >= lengthMs(loaded) && startAtMs > 0)
    throw refuse(
      `startAt is ${startAtMs} ms, and ${traceName(trace)} is ${lengthMs(loaded)} ms long`,
      'a start lies within the trace',
    );
}

/**
 * Returns the time of the trace, ms, at which the window starts. A seeded start is the same for both directions of a
 * trial if their traces have the same length.
 */
export function startMsOf({ startAtMs }: Pick<TracePlay, 'startAtMs'>, loaded: LoadedTrace, seed: number): number {
  if (startAtMs !== 'seeded') return startAtMs;
  return Math.floor(seededRandom(deriveSeed(seed, 'start of the trace')).next() * lengthMs(loaded));
}

type TracedLink = Pick<Link, 'trace' | 'loss'> & { up: Pick<Link, 'trace' | 'loss'> | null };

/** Key of a trace of a direction: equal keys mean equal contents. */
export const traceKey = (trace: LinkTrace, direction: Direction): string => JSON.stringify([trace, direction]);

/**
 * Returns the traces of `links` by `traceKey`. Each is loaded once. Throws `bad-definition` if one cannot be used, or if
 * a trace and its link both have random loss.
 */
export function tracesOf(links: readonly TracedLink[]): Map<string, LoadedTrace> {
  const loaded = new Map<string, LoadedTrace>();
  for (const link of links)
    for (const { trace, direction } of linkTraces(link)) {
      const key = traceKey(trace, direction);
      const one = loaded.get(key) ?? loadTrace(trace, direction);
      loaded.set(key, one);
      const own = direction === 'up' ? link.up!.loss : link.loss;
      if (own !== null && one.table !== null && one.table.facts.lossRatio !== null)
        throw refuse(
          `${traceName(trace)} has random loss, and so has link.${direction === 'up' ? 'up.' : ''}loss`,
          'leave one of them out',
        );
    }
  return loaded;
}
