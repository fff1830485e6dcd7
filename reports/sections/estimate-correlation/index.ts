/**
 * Section that compares the bandwidth estimates of controllers with their bitrates. It states, for each controller, if
 * trials with a high estimate also have a high bitrate, as in Figure 4 and Table II of Drucker et al.
 */
import { object } from '../../../core/schema/schema.ts';
import { type EstimateRun, estimateCorrelation, goodBps } from '../../../core/stats/estimate-correlation.ts';
import { mean } from '../../../core/stats/quantile.ts';
import { subjectOf } from '../../../core/vocabulary/subject.ts';
import { type Controller, controllerWords } from '../../controller-words.ts';
import { formatValue } from '../../format.ts';
import { html } from '../../html.ts';
import { conditionsNote, type ReportData, type ReportSection } from '../../report.ts';

/** Least number of trials for a correlation. With fewer trials a correlation means nothing. */
const fewestTrials = 4;

/**
 * Trials of a controller with the same parameters. `id`: id of the controller if all parameters are the defaults,
 * because the paper's numbers hold only for these; otherwise undefined.
 */
type Sender = {
  id: string | undefined;
  title: string;
  runs: EstimateRun[];
  /** Minimum round-trip time that the controller measured, of each trial that reports one, ms. */
  roundTripsMs: number[];
};

/** Groups the trials by controller and parameters of the subject. */
function senders({ plan, summary, factsOf }: ReportData): Sender[] {
  const found = new Map<string, Sender>();
  for (const { condition, metrics } of summary.trials) {
    const [estimateBps, bitrateBps] = [metrics?.['estimate-mean'], metrics?.['goodput']];
    if (typeof estimateBps !== 'number' || typeof bitrateBps !== 'number') continue;
    const { service } = subjectOf(plan.conditions.find(({ id }) => id === condition)!);
    const controller: Controller = factsOf(service).controller ?? service;
    const title = controllerWords(controller);
    const sender = found.get(title) ?? {
      id: Object.keys(controller.changed ?? {}).length === 0 ? controller.id : undefined,
      title,
      runs: [],
      roundTripsMs: [],
    };
    sender.runs.push({ estimateBps, bitrateBps });
    const roundTripMs = metrics?.['min-rtt-estimate'];
    if (typeof roundTripMs === 'number') sender.roundTripsMs.push(roundTripMs);
    found.set(title, sender);
  }
  return [...found.values()];
}

const average = (values: readonly number[], unit: string) => formatValue(mean(values) ?? null, unit);
const text = (value: number | undefined) => value?.toFixed(2) ?? '\u2013';

export const plugin: ReportSection = {
  id: 'estimate-correlation',
  title: 'Bandwidth estimate and bitrate',
  source: 'Drucker et al., Figure 4 and Table II',
  params: object({}),
  order: 75,
  async render(report) {
    const rows = senders(report).filter(({ runs }) => runs.length >= fewestTrials);
    if (rows.length === 0) return null;
    const { reference } = report;
    const printed = reference?.correlations;
    const lines = rows.map(({ id, title, runs, roundTripsMs }) => {
      const { all, good, bad } = estimateCorrelation(runs);
      const [bitrates, estimates] = [runs.map(run => run.bitrateBps), runs.map(run => run.estimateBps)];
      const values = [
        average(bitrates, 'bit/s'),
        average(estimates, 'bit/s'),
        average(roundTripsMs, 'ms'),
        text(all),
        text(good),
        text(bad),
        String(runs.length),
      ];
      const ofPaper = (id === undefined ? undefined : printed?.[id]) ?? '';
      const paperCell = printed === undefined ? null : html`<td class="paper">${ofPaper}</td>`;
      return html`<tr><th scope="row">${title}</th>${values.map(value => html`<td>${value}</td>`)}${paperCell}</tr>`;
    });
    return html`<table>
<thead><tr><th scope="col">Sender</th>
<th scope="col">bitrate</th>
<th scope="col">estimate</th>
<th scope="col">minimum round-trip time</th>
<th scope="col">correlation, all trials</th>
<th scope="col">from ${goodBps / 1e3} kbit/s</th>
<th scope="col">below</th>
<th scope="col">n</th>
${printed === undefined ? null : html`<th scope="col">${reference!.title}</th>`}</tr></thead>
<tbody>${lines}</tbody>
</table>
<p class="note">Means of goodput, bandwidth estimate and minimum round-trip time over all trials of a sender, whatever
their condition. Correlation: Pearson's, between mean estimate and mean goodput of the media over trials; it is near 1
where a high estimate comes with a high bitrate. ${conditionsNote(report)}</p>`;
  },
};
