/** Section with dot charts of frame rate, stalls, bandwidth and fairness. Each trial is a dot. */
import { object } from '../../../core/schema/schema.ts';
import { conditionDots } from '../../charts/condition-dots.ts';
import { ownCoverage } from '../../format.ts';
import { html } from '../../html.ts';
import { ofOthers, titleOf, valueOver } from '../../named.ts';
import { bracketsLine, conditionsNote, estimateLine, type ReportSection, trialCounts } from '../../report.ts';
import { withSubjectRates } from '../../subject-rate.ts';

const shown = ['frame-rate', 'stall-time', 'goodput', ofOthers('goodput'), 'jain-index', 'frame-latency-p95'];

export const plugin: ReportSection = {
  id: 'overview',
  title: 'Overview',
  source: 'Juntima et al., Figure 9',
  params: object({}),
  order: 80,
  async render(report) {
    const { summary, plan } = report;
    const values = withSubjectRates(shown, summary);
    const charts = values.flatMap(named => conditionDots(report, named) ?? []);
    if (charts.length === 0) return null;
    const estimates = estimateLine(report);
    const fewer = values.flatMap(named =>
      summary.conditions.flatMap(condition => {
        const { n, confidence } = valueOver(condition, named)!;
        if (n === 0 || n === condition.trials || confidence === null) return [];
        const title = titleOf(summary.quantities, named, plan.conditions);
        return [`${title}, ${condition.title}: ${ownCoverage({ n, confidence })}`];
      }),
    );
    const bar = bracketsLine(report).replace(/^brackets: /, '');
    const fewerSaid = fewer.length === 0 ? '' : ` ${fewer.join('; ')}.`;
    return html`<figure><div class="panels">${charts.map(chart => html`<div>${chart}</div>`)}</div>
<figcaption>Circles: trials; line: their median; bar: ${bar}.${fewerSaid} ${trialCounts(report)}.
${conditionsNote(report)}${estimates === null ? null : ` ${estimates}.`}</figcaption></figure>`;
  },
};
