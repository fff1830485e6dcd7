/** Section with dot charts of frame rate, stalls, bandwidth and fairness. Each trial is a dot. */
import { object } from '../../../core/schema/schema.ts';
import { conditionDots } from '../../charts/condition-dots.ts';
import { ownCoverage, quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import { bracketsLine, conditionsNote, estimateLine, type ReportSection, trialCounts } from '../../report.ts';
import { withSubjectRates } from '../../subject-rate.ts';

const shown = ['frame-rate', 'stall-time', 'media-goodput', 'flood-goodput', 'jain-index', 'frame-latency-p95'];

export const plugin: ReportSection = {
  id: 'overview',
  title: 'Overview',
  source: 'Juntima et al., Figure 9',
  params: object({}),
  order: 80,
  async render(report) {
    const ids = withSubjectRates(shown, report.summary);
    const charts = ids.flatMap(id => conditionDots(report, id) ?? []);
    if (charts.length === 0) return null;
    const estimates = estimateLine(report);
    const fewer = ids.flatMap(id =>
      report.summary.conditions.flatMap(({ title, trials, metrics }) => {
        const { n, confidence } = metrics[id]!;
        return n === 0 || n === trials || confidence === null
          ? []
          : [`${quantityOf(report.summary.quantities, id).title}, ${title}: ${ownCoverage({ n, confidence })}`];
      }),
    );
    const bar = bracketsLine(report).replace(/^brackets: /, '');
    const fewerSaid = fewer.length === 0 ? '' : ` ${fewer.join('; ')}.`;
    return html`<figure><div class="panels">${charts.map(chart => html`<div>${chart}</div>`)}</div>
<figcaption>Circles: trials; line: their median; bar: ${bar}.${fewerSaid} ${trialCounts(report)}.
${conditionsNote(report)}${estimates === null ? null : ` ${estimates}.`}</figcaption></figure>`;
  },
};
