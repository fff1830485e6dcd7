/**
 * Section with the goodput of the subject and the other applications over time, with a chart for each condition. Where
 * packets had ECN, marks and queue are below it.
 */

import { object } from '../../../core/schema/schema.ts';
import { binCount, ratePerBin } from '../../../core/stats/binned.ts';
import type { Reading } from '../../../core/stats/counters.ts';
import { highestRateBps } from '../../../core/vocabulary/rate-schedule.ts';
import { othersOf, subjectOf } from '../../../core/vocabulary/subject.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import { linkPhases } from '../../charts/phases.ts';
import { seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { shownAs, shownRecords } from '../../disturbed.ts';
import { html } from '../../html.ts';
import { linkStops } from '../../link-stops.ts';
import { othersWord } from '../../named.ts';
import { conditionsNote, overTrials, type ReportSection, trialCounts } from '../../report.ts';
import { isCall as hasCall } from '../../subject-rate.ts';
import { marksCaption, marksCharts } from './marks.ts';

const binMs = 1000;
const ownColour = 0;
const othersColour = 1;

const toMbps = (bytesPerSecond: number | null) => (bytesPerSecond === null ? null : (bytesPerSecond * 8) / 1e6);

/** Returns the sum of the rates of all flows in each bin, Mbit/s. Null in a bin in which any flow has no value. */
function sumOf(all: readonly (readonly Reading[])[], window: TrialView['window']): (number | null)[] {
  const flows = all.map(readings => ratePerBin(readings, window, binMs));
  return (flows[0] ?? []).map((_, bin) =>
    toMbps(
      flows.reduce<number | null>(
        (sum, flow) => (sum === null || flow[bin] === null || flow[bin] === undefined ? null : sum + flow[bin]),
        0,
      ),
    ),
  );
}

const own = async (record: TrialView) => sumOf(await record.ownBytes(), record.window);
const others = async (record: TrialView) => sumOf(await record.othersBytes(), record.window);

export const plugin: ReportSection = {
  id: 'goodput-series',
  title: 'Goodput over time',
  source: 'Juntima et al., Figure 4',
  params: object({}),
  order: 30,
  async render(report) {
    const panels = [];
    let hasMarks = false;
    const drawn = report.plan.conditions
      .map(condition => ({
        condition,
        title: shownAs(report.summary, condition.id).label,
        records: shownRecords(report, condition.id),
      }))
      .filter(({ records }) => records.length > 0);
    const { stops, caption } = await linkStops(drawn);
    for (const [panel, { condition, records }] of drawn.entries()) {
      const bins = binCount(records[0]!.window, binMs);
      // a link that follows a trace has no fixed rate
      const most = condition.link.trace === null ? highestRateBps(condition.link, 0, report.plan.run.windowMs) : null;
      const { label: shown, isDisturbed } = shownAs(report.summary, condition.id);
      const isCall = hasCall(condition);
      const label = isCall ? 'media' : subjectOf(condition).service.title;
      const lines = [trialLine({ label, isDisturbed }, ownColour, await overTrials(records, own), true)];
      const beside = othersWord(condition);
      const hasOthers = othersOf(condition).length > 0;
      if (hasOthers)
        lines.push(trialLine({ label: beside, isDisturbed }, othersColour, await overTrials(records, others), true));
      const alone = isCall ? 'the stream' : label;
      const whose = lines.length === 1 ? alone : `${isCall ? 'stream' : label} and ${beside}`;
      const axis = {
        x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
        phases: linkPhases(condition.link, report.plan.run.windowMs),
        stops: stops[panel]!,
      };
      const marks = await marksCharts({
        shown,
        isDisturbed,
        records,
        binMs,
        beside: hasOthers ? beside : null,
        ...axis,
      });
      hasMarks ||= marks !== null;
      panels.push(
        html`<div><h3>${shown}</h3>${seriesChart({
          title: `Goodput of ${whose} over time, ${shown}`,
          y: { label: 'Mbit/s', min: 0, ...(most === null ? {} : { max: most / 1e6 }) },
          lines,
          ...axis,
        })}${marks}</div>`,
      );
    }
    if (panels.length === 0) return null;
    const trials = Math.max(...report.summary.conditions.map(condition => condition.trials));
    return html`<figure><div class="panels">${panels}</div>
<figcaption>Payload that arrived per second. ${hasMarks ? `${marksCaption} ` : ''}${lineCaption(trials)} ${caption} ${trialCounts(report)}.
${conditionsNote(report)}</figcaption></figure>`;
  },
};
