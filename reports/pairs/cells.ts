/** Every pair with its trials: where each number of the heat maps comes from. */
import { causePrefix } from '../../core/pair-names.ts';
import type { CellSummary } from '../../harness/pairs/summary.ts';
import { dotChart } from '../charts/dot-chart.ts';
import { formatNumber, quantityOf } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { linkSections, counted, estimateHtml, pairsOn, sideHtml, titleOf, trialHref } from './data.ts';
import type { PairsReport } from './data.ts';

const states = {
  open: 'more trials were due',
  converged: 'known as well as wanted',
  futile: 'stopped: more trials would not settle it',
  exhausted: 'all trials had',
  'given-up': 'could not be measured',
} as const;

/** Throughput of each trial: the paper's figure 10. */
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
  const modes = cell.sides
    .filter(side => side.modes !== null)
    .map(
      ({ contestant, modes: gap }) =>
        `${contestant} has two modes: nothing between ${formatNumber(gap!.below, 'bit/s')} and ${formatNumber(gap!.above, 'bit/s')} Mbit/s`,
    );
  const voided = report.summary.trials.filter(trial => trial.cell === cell.id && trial.verdict.status === 'invalid');
  return html`<details id="${cell.id}"><summary>${cell.sides.map(({ contestant }) => titleOf(report, contestant)).join(' beside ')}: ${counted(cell.trials.length, 'trial')}, ${states[cell.state]}${cell.reason === null ? '' : ` (${cell.reason})`}</summary>
${scatter(report, cell)}
<div class="scroll"><table><thead><tr><th></th>${cell.sides.map(({ contestant }) => html`<th>${titleOf(report, contestant)}</th>`)}</tr></thead>
<tbody><tr><th scope="row">Fair share</th>${cell.sides.map(({ dueBps }) => html`<td>${formatNumber(dueBps, 'bit/s')} Mbit/s</td>`)}</tr>
${shown.map(({ id, title }) => html`<tr><th scope="row">${title}</th>${cell.sides.map(side => html`<td>${sideHtml(report, side, id)}</td>`)}</tr>`)}
<tr><th scope="row">Utilisation</th><td colspan="${cell.sides.length}">${estimateHtml(cell.utilisation, 'ratio')}</td></tr></tbody></table></div>
${modes.map(text => html`<p class="note">${text}.</p>`)}
<p class="note">Trials, each with its series${report.plan.run.queueLog === 'full' ? ', the log of the queue' : ''}${report.plan.run.pcap ? ', the capture' : ''}: ${cell.trials.map(name => html`<a href="${trialHref(report, name)}">${name}</a> `)}</p>
${voided.map(({ name, verdict }) => html`<p class="note">Void: <a href="${trialHref(report, name)}">${name}</a>: ${verdict.findings.map(({ message }) => message).join('; ')}</p>`)}</details>`;
}

export function cellsSection(report: PairsReport): Html {
  return linkSections(report, link => html`${pairsOn(report, link.id).map(cell => cellHtml(report, cell))}`);
}
