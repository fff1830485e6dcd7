/** Page of a pair, or of a service alone: the results of every cycle, and links to every trial. */
import { isDeepStrictEqual } from 'node:util';
import { historyChart } from '../../charts/history-chart.ts';
import { minute } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderStillPage } from '../../page/still-page.ts';
import { estimateHtml } from '../data.ts';
import { pairsStyle } from '../style.ts';
import { addresses, type CellThen, type SiteCycle, titleOfCell, titleOfLink, titleOfService, up } from './cycle.ts';

/** Returns the titles of both sides, the first side first. If a service runs beside itself, the titles are numbered. */
function sideTitles(cycles: readonly SiteCycle[], { cell }: CellThen): string[] {
  const isTwin = cell.sides.length === 2 && cell.sides[0]!.contestant === cell.sides[1]!.contestant;
  return cell.sides.map(
    ({ contestant }, k) => `${titleOfService(cycles, contestant)}${isTwin ? (k === 0 ? ' (first)' : ' (second)') : ''}`,
  );
}

/** Returns links to the pages of trials. The texts of the links are numbers, because the names of trials are long. */
function trialLinks({ cycle, cell }: CellThen): Html {
  const voided = cycle.summary.trials.filter(trial => trial.cell === cell.id && trial.verdict.status === 'invalid');
  const link = (name: string, text: string) =>
    html`<a href="${up}${addresses.trial(cycle, name)}" title="${name}">${text}</a> `;
  const counted = cell.trials.map((name, k) => link(name, String(k + 1)));
  return html`${counted}${voided.map(({ name }, k) => link(name, `void ${k + 1}`))}`;
}

function row(then: CellThen): Html {
  const { cycle, cell } = then;
  const pair = cell.sides.map(({ contestant }) => contestant).sort();
  const moved = cycle.changes?.shares.some(
    ({ link, incumbent, contender }) => link === cell.link && isDeepStrictEqual([incumbent, contender].sort(), pair),
  );
  const href = `${up}${addresses.report(cycle, cell.sides.length === 2 ? cell.id : '')}`;
  const values = cell.sides.map(
    ({ values: { share, throughput } }) =>
      html`<td>${estimateHtml(share!, 'ratio')}</td><td>${estimateHtml(throughput!, 'bit/s')}</td>`,
  );
  const reason = cell.reason === null ? null : html`could not be measured: ${cell.reason}<br>`;
  const move = moved === true ? html`<span class="degraded">a share moved</span><br>` : null;
  return html`<tr>
<th scope="row"><a href="${href}">Cycle ${cycle.name}</a><small>${minute(cycle.createdMs)}</small></th>
${values}
<td>${estimateHtml(cell.utilisation, 'ratio')}</td>
<td>${reason}${move}${trialLinks(then)}</td></tr>`;
}

/** Returns the page. `history`: the cell in each cycle that has it, oldest first. */
export async function renderPairPage(cycles: readonly SiteCycle[], history: readonly CellThen[]): Promise<string> {
  const newest = history.at(-1)!;
  const titles = sideTitles(cycles, newest);
  const names = [...new Set(newest.cell.sides.map(({ contestant }) => contestant))];
  const title = titleOfCell(cycles, newest.cell);
  const link = titleOfLink(cycles, newest.cell.link);
  const isPair = titles.length === 2;
  const chart = historyChart(
    isPair ? 'Share of the fair share' : 'Throughput',
    isPair ? 'ratio' : 'bit/s',
    history.map(({ cycle }) => cycle.name),
    titles.map((label, k) => ({
      label,
      values: history.map(({ cell }) => cell.sides[k]?.values[isPair ? 'share' : 'throughput']),
    })),
    isPair ? 1 : null,
  );
  const figure =
    chart === null
      ? null
      : html`<figure>${chart}<figcaption>Medians over the trials of a cycle; bars: their 95 % intervals, where there are
trials enough.${isPair ? ' The dashed line is a fair share.' : ''}</figcaption></figure>`;
  const serviceLinks = names.map(
    name => html`<li><a href="${up}${addresses.service(name)}">${titleOfService(cycles, name)}</a></li>`,
  );
  return renderStillPage(
    `${title}, ${newest.cell.link}`,
    html`<style>${pairsStyle}</style><header><h1>${title}</h1><p class="question">${link}</p>
<nav aria-label="Site"><ul class="contents">
<li><a href="${up}${addresses.landing}">All services and pairs</a></li>
${serviceLinks}</ul></nav></header>
<main id="report" tabindex="-1">${figure}
<div class="scroll history"><table><thead><tr><th>Cycle</th>
${titles.map(one => html`<th>${one}: share</th><th>Throughput</th>`)}
<th>Utilisation</th>
<th>Trials</th></tr></thead>
<tbody>${history.toReversed().map(row)}</tbody></table></div>
<p class="note">The newest cycle first. Share: of the max-min fair share. A cycle leads to its report, a number to the
page of a trial. A share moved where its 95 % interval and that of the cycle before are disjoint.</p></main>`,
  );
}
