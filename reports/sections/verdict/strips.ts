/**
 * Strips of time beside the sentences: for each condition its rate, round trip and presented frames over the window, and
 * the stalls and link stops of each trial. All strips of a report have the same scales, so that they can be compared.
 */
import { overlay } from '../../../core/stats/binned.ts';
import { highestRateBps } from '../../../core/vocabulary/rate-schedule.ts';
import { subjectOf } from '../../../core/vocabulary/subject.ts';
import type { BinnedQuantity } from '../../../harness/exchange/binned-series.ts';
import type { TrialDetail } from '../../../harness/exchange/trial-details.ts';
import { colourOf } from '../../charts/palette.ts';
import { type StripLane, timeStrip } from '../../charts/time-strip.ts';
import { shownAs, shownRecords } from '../../disturbed.ts';
import { stallLimitWords } from '../../gap-words.ts';
import { type Html, html } from '../../html.ts';
import { stopLabel } from '../../link-stops.ts';
import { othersWord } from '../../named.ts';
import type { ReportData } from '../../report.ts';
import { isCall } from '../../subject-rate.ts';

/** Lanes of a strip: unit, factor from the unit of the series, and the quantities with their colours. */
const lanes = [
  { unit: 'Mbit/s', factor: 1e-6, quantities: { othersGoodputBps: colourOf(1), goodputBps: colourOf(0) } },
  { unit: 'ms', factor: 1, quantities: { rttMs: colourOf(2) } },
  { unit: 'fps', factor: 1, quantities: { framesPerSecond: colourOf(3) } },
] as const;

type Values = (number | null)[];
type Drawn = { median: Values; low: Values; high: Values };

/** Returns the tries that a condition shows: its valid trials, or its least disturbed try. */
function shownDetails(report: ReportData, id: string): TrialDetail[] {
  const names = new Set(shownRecords(report, id).map(({ file }) => `${file.trial.id} ${file.attempt}`));
  return report.details.filter(({ file }) => names.has(`${file.trial.id} ${file.attempt}`));
}

/** Returns a quantity over the window: median and range over the trials. Null if no trial has a value. */
function drawnOf(details: readonly TrialDetail[], id: BinnedQuantity, factor: number): Drawn | null {
  const trials = details.flatMap(({ binned }) => {
    if (binned === null) return [];
    const before = Math.max(0, Math.round(-binned.startS / binned.binS));
    return [binned.values[id].slice(before).map(value => (value === null ? null : value * factor))];
  });
  const all = overlay(trials);
  return all.median.some(value => value !== null) ? all : null;
}

const highest = ({ high }: Drawn) => Math.max(...high.flatMap(value => value ?? []));

/** Upper edges of lanes, but for a power of ten. */
const edges = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Returns the lowest round number that is not below `value`. */
function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return edges.find(edge => edge * power >= value * (1 - 1e-9))! * power;
}

/**
 * Returns the upper edge that a lane has by the plan: the rate of the link, or the captured frame rate, the highest of
 * all conditions. Counters that are read late exceed them for a bin, which is not drawn. Null if a condition has none.
 */
function naturalTop({ conditions, run: { windowMs } }: ReportData['plan'], unit: string): number | null {
  const each = conditions.map(condition => {
    const { link } = condition;
    if (unit === 'Mbit/s') return link.trace === null ? highestRateBps(link, 0, windowMs) / 1e6 : null;
    return unit === 'fps' ? (subjectOf(condition).frameRate ?? null) : null;
  });
  return each.includes(null) ? null : Math.max(...each.flatMap(value => value ?? []));
}

/** Returns the strip of each condition, by its id. A condition without a series has none. */
export function stripsOf(report: ReportData): Map<string, Html> {
  const windowS = report.plan.run.windowMs / 1000;
  const all = report.plan.conditions.map(condition => {
    const details = shownDetails(report, condition.id);
    const drawn = lanes.map(({ factor, quantities }) =>
      Object.entries(quantities).flatMap(([id, colour]) => {
        const own = drawnOf(details, id as BinnedQuantity, factor);
        // a subject without frames has none in any bin, and a study without other applications no rate of them
        return own === null || highest(own) === 0 ? [] : [{ colour, own }];
      }),
    );
    return { condition, details, drawn };
  });
  const tops = lanes.map(({ unit }, k) => {
    const natural = naturalTop(report.plan, unit);
    return natural ?? roundedUp(Math.max(...all.flatMap(({ drawn }) => drawn[k]!.map(({ own }) => highest(own)))));
  });
  return new Map(
    all.flatMap(({ condition, details, drawn }): [string, Html][] => {
      const { label, isDisturbed } = shownAs(report.summary, condition.id);
      const shown = lanes.flatMap(({ unit }, k): StripLane[] => {
        const lines = drawn[k]!.map(({ colour, own: { median, low, high } }) => ({
          colour,
          values: median,
          ...(details.length > 1 ? { low, high } : {}),
        }));
        return lines.length === 0 ? [] : [{ unit, max: tops[k]!, lines }];
      });
      if (shown.length === 0) return [];
      const binS = details.find(({ binned }) => binned !== null)!.binned!.binS;
      const rows = details.map(({ stalls, stops }) => ({
        stalls: stalls.map(({ fromS, toS, label: told }) => ({ from: fromS, to: toS, label: told })),
        stops: stops.map(({ fromS, toS, lengthMs }) => ({ from: fromS, to: toS, label: stopLabel(lengthMs) })),
      }));
      const title = `${label} over time: rate, round trip, presented frames; stalls and link stops of each trial`;
      return [[condition.id, timeStrip({ title, windowS, binS, lanes: shown, rows, isDisturbed })]];
    }),
  );
}

/** Returns the line below the sentences that explains the strips. Null without a strip. */
export function stripsKey(report: ReportData, strips: ReadonlyMap<string, Html>): Html | null {
  if (strips.size === 0) return null;
  const most = Math.max(...report.summary.conditions.map(({ trials }) => trials));
  const entry = (colour: string, label: string) =>
    html`<span><i class="swatch" style="background: ${colour}"></i>${label}</span>`;
  return html`<p class="lines">${entry(colourOf(0), report.plan.conditions.every(isCall) ? 'stream' : 'goodput')}${entry(colourOf(1), othersWord(...report.plan.conditions))}${entry(colourOf(2), 'round trip')}${entry(colourOf(3), 'presented frames')}${entry('var(--bad)', `stall (over ${stallLimitWords(report.plan)})`)}${entry('var(--soft)', 'the link stood still')}<span>${
    most > 1 ? 'lines: median over trials; bands: lowest to highest; a row of marks for each trial' : 'one trial'
  }; the scales are the same in all strips</span></p>`;
}
