/** Figure with a line for each condition over the window: the median over its trials, with their range as a band. */
import { binCount } from '../core/stats/binned.ts';
import type { TrialView } from '../harness/analysis/derive/trial-view.ts';
import type { Condition } from '../harness/definition/conditions.ts';
import { phasesOf } from './charts/phases.ts';
import { type ChartLine, type ChartMark, seriesChart } from './charts/series-chart.ts';
import { lineCaption, trialLine } from './charts/trial-lines.ts';
import { shownAs, shownRecords } from './disturbed.ts';
import { type Html, html } from './html.ts';
import { linkStops } from './link-stops.ts';
import { conditionsNote, overTrials, type ReportData, trialCounts } from './report.ts';

type Drawing = {
  title: string;
  unit: string;
  binMs: number;
  /** Values of a trial in each bin; null in a bin without a value. */
  perBin(record: TrialView): Promise<(number | null)[]>;
  /** Trials of a condition that have values. Undefined: all. */
  recordsOf?(condition: Condition): TrialView[];
  stepped?: boolean;
  marks?: ChartMark[];
  /** First sentences of the caption, on what is drawn. */
  about: Html | string;
};

/** Returns the figure; null if no condition has a trial with values. */
export async function conditionLines(report: ReportData, drawing: Drawing): Promise<Html | null> {
  const { title, unit, binMs, perBin, stepped = false, marks = [], about } = drawing;
  const recordsOf = drawing.recordsOf ?? (({ id }) => shownRecords(report, id));
  const lines: ChartLine[] = [];
  const drawn = [];
  let bins = 0;
  for (const [colour, condition] of report.plan.conditions.entries()) {
    const records = recordsOf(condition);
    if (records.length === 0) continue;
    const shown = shownAs(report.summary, condition.id);
    drawn.push({ title: shown.label, records });
    bins = Math.max(bins, binCount(records[0]!.window, binMs));
    lines.push(trialLine(shown, colour, await overTrials(records, perBin), stepped));
  }
  if (lines.length === 0) return null;
  const { stops, caption } = await linkStops(drawn);
  const most = Math.max(...report.summary.conditions.map(condition => condition.trials));
  return html`<figure>${seriesChart({
    title,
    x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
    y: { label: unit, min: 0 },
    lines,
    marks,
    phases: phasesOf(report),
    stops: stops.flat(),
    height: 280,
  })}<figcaption>${about} ${lineCaption(most)} ${caption} ${trialCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
}
