/**
 * Describes stops: times at which a link stood still although packets waited. A chart over time draws stops as grey
 * bands if each of its lines shows a single trial. In a median over several trials a stop has no definite time, so the
 * caption states how often and for how long the link stood still.
 */
import { counted } from '../core/text/counted.ts';
import type { TrialView } from '../harness/analysis/derive/trial-view.ts';
import type { ChartStop } from './charts/chart-data.ts';
import { mostNamed } from './format.ts';

type Stops = { count: number; longestMs: number; sumMs: number };

const rounded = (ms: number) => `${Math.round(ms)} ms`;

export const stopLabel = (lengthMs: number) => `the link stood still for ${rounded(lengthMs)}`;

/** Formats the number and lengths of stops: "3 times, longest 12 ms, 24 ms in all". */
export function stopsInWords({ count, longestMs, sumMs }: Stops): string {
  return count === 1
    ? `once, for ${rounded(longestMs)}`
    : `${counted(count, 'time')}, longest ${rounded(longestMs)}, ${rounded(sumMs)} in all`;
}

/** A condition in a figure, with the trials that the figure shows. */
type Drawn = { title: string; records: readonly TrialView[] };

/**
 * `stops`: stops to draw for each condition, in the order of the conditions. `caption`: sentence on the stops; empty if
 * no link stood still.
 */
type DrawnStops = { stops: ChartStop[][]; caption: string };

function sumOf(all: readonly Stops[]): Stops {
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    longestMs: all.reduce((most, { longestMs }) => Math.max(most, longestMs), 0),
    sumMs: all.reduce((sum, one) => sum + one.sumMs, 0),
  };
}

async function bandsOf(record: TrialView, prefix: string): Promise<ChartStop[]> {
  if ((record.linkStopsReading?.count ?? 0) === 0) return [];
  const stops = await record.linkStops();
  return stops.map(({ fromS, toS, lengthMs }) => ({ from: fromS, to: toS, label: `${prefix}${stopLabel(lengthMs)}` }));
}

/** Describes the stops of each condition. If many conditions have stops, describes them all together. */
function countsOf(drawn: readonly Drawn[]): string {
  const all = drawn.flatMap(({ title, records }) => {
    const stopped = records.flatMap(record => record.linkStopsReading ?? []).filter(({ count }) => count > 0);
    const trials = records.length > 1 ? ` (in ${stopped.length} of ${records.length} trials)` : '';
    return stopped.length === 0 ? [] : [{ title, trials, stops: sumOf(stopped) }];
  });
  if (all.length === 0) return '';
  if (all.length > mostNamed)
    return `in ${all.length} of ${drawn.length} conditions, ${stopsInWords(sumOf(all.map(({ stops }) => stops)))}`;
  return all
    .map(({ title, trials, stops }) => `${drawn.length === 1 ? '' : `${title} `}${stopsInWords(stops)}${trials}`)
    .join('; ');
}

/**
 * Returns the stops for a figure with these conditions, and the sentence for its caption. There are stops to draw only
 * if each condition has at most one trial.
 */
export async function linkStops(drawn: readonly Drawn[]): Promise<DrawnStops> {
  const counts = countsOf(drawn);
  if (counts === '') return { stops: drawn.map(() => []), caption: '' };
  const what = 'the link stood still although packets waited, because the machine had stopped it';
  if (drawn.some(({ records }) => records.length > 1))
    return {
      stops: drawn.map(() => []),
      caption: `${what[0]!.toUpperCase()}${what.slice(1)}: ${counts}; not drawn over several trials.`,
    };
  const stops: ChartStop[][] = [];
  for (const { title, records } of drawn) {
    const prefix = drawn.length === 1 ? '' : `${title}: `;
    stops.push(records.length === 0 ? [] : await bandsOf(records[0]!.anew(), prefix));
  }
  return { stops, caption: `Grey bands: ${what}: ${counts}.` };
}
