/** Section with every pair and the trials of each pair. The numbers of the heat maps link to this section. */
import { object } from '../../../../core/schema/schema.ts';
import { counted } from '../../../../core/text/counted.ts';
import { causePrefix } from '../../../../core/vocabulary/pair-names.ts';
import type { CellSummary } from '../../../../harness/studies/pairs/summary.ts';
import { dotChart } from '../../../charts/dot-chart.ts';
import { formatNumber, quantityOf } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { estimateHtml, linkSections, type PairsReport, pairsOn, sideHtml, titleOf, trialHref } from '../../data.ts';

const states = {
  open: 'incomplete: more trials are needed',
  converged: 'interval narrow enough',
  futile: 'stopped: more trials would not make the interval narrow enough',
  exhausted: 'maximum number of trials reached',
  'given-up': 'could not be measured',
} as const;

/** Returns a chart with the throughput of each trial, like the paper's figure 10. */
function scatter(report: PairsReport, { sides }: CellSummary): Html | null {
  const { unit } = quantityOf(report.summary.quantities, 'throughput');
  const groups = sides.map(({ contestant, trials, values }, k) => {
    const { value, low, high } = values['throughput']!;
    const isTwin = sides.length === 2 && sides[0]!.contestant === sides[1]!.contestant;
    return {
      label: isTwin ? `${contestant} (${k + 1})` : contestant,
      colour: k,
      values: trials['throughput']!.flatMap(own => own ?? []),
      median: value,
      low,
      high,
    };
  });
  return groups.every(({ values }) => values.length === 0)
    ? null
    : dotChart({ title: 'Throughput', unit, groups, width: 420 });
}

function cellHtml(report: PairsReport, cell: CellSummary): Html {
  const { quantities } = report.summary;
  const shown = quantities.filter(({ id }) =>
    cell.sides.some(
      ({ values }) => values[id]!.value !== null && (!id.startsWith(causePrefix) || values[id]!.value > 0),
    ),
  );
  const titles = cell.sides.map(({ contestant }) => titleOf(report, contestant));
  const reason = cell.reason === null ? '' : ` (${cell.reason})`;
  const state = `${counted(cell.trials.length, 'trial')}, ${states[cell.state]}${reason}`;
  const rows = shown.map(({ id, title }) => {
    const values = cell.sides.map(side => html`<td>${sideHtml(report, side, id)}</td>`);
    return html`<tr><th scope="row">${title}</th>${values}</tr>`;
  });
  const modes = cell.sides.flatMap(({ contestant, modes: gap }) => {
    if (gap === null) return [];
    const [below, above] = [formatNumber(gap.below, 'bit/s'), formatNumber(gap.above, 'bit/s')];
    return [html`<p class="note">${contestant} has two modes: nothing between ${below} and ${above} Mbit/s.</p>`];
  });
  const { queueLog, pcap } = report.plan.run;
  const files = `${queueLog === 'full' ? ', the log of the queue' : ''}${pcap ? ', the capture' : ''}`;
  const link = (name: string) => html`<a href="${trialHref(report, name)}">${name}</a>`;
  const voided = report.summary.trials
    .filter(trial => trial.cell === cell.id && trial.verdict.status === 'invalid')
    .map(({ name, verdict }) => {
      const reasons = verdict.findings.map(({ message }) => message).join('; ');
      return html`<p class="note">Void: ${link(name)}: ${reasons}</p>`;
    });
  return html`<details id="${cell.id}"><summary>${titles.join(' beside ')}: ${state}</summary>
${scatter(report, cell)}
<div class="scroll"><table><thead><tr><th></th>${titles.map(title => html`<th>${title}</th>`)}</tr></thead>
<tbody><tr><th scope="row">Fair share</th>
${cell.sides.map(({ dueBps }) => html`<td>${formatNumber(dueBps, 'bit/s')} Mbit/s</td>`)}</tr>
${rows}
<tr><th scope="row">Utilisation</th>
<td colspan="${cell.sides.length}">${estimateHtml(cell.utilisation, 'ratio')}</td></tr></tbody></table></div>
${modes}
<p class="note">Trials, each with its series${files}: ${cell.trials.map(name => html`${link(name)} `)}</p>
${voided}</details>`;
}

function render(report: PairsReport): Html {
  return linkSections(report, link => html`${pairsOn(report, link.id).map(cell => cellHtml(report, cell))}`);
}

export const plugin: ReportSection<PairsReport> = {
  id: 'cells',
  title: 'Pairs and their trials',
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  order: 80,
  render,
};
