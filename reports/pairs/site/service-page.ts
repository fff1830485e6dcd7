/** Page of a service: its share beside each other service in every cycle. */
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import { historyChart } from '../../charts/history-chart.ts';
import { type Html, html } from '../../html.ts';
import { renderStillPage } from '../../page/still-page.ts';
import { estimateHtml } from '../data.ts';
import { pairsStyle } from '../style.ts';
import {
  addresses,
  type CellThen,
  cellHistories,
  newestOf,
  type SiteCycle,
  titleOfLink,
  titleOfService,
  up,
} from './cycle.ts';

/**
 * Maximum number of cycles with a column in a table, because the page is narrow. The page of a pair shows all cycles.
 */
const mostColumns = 6;

/**
 * Returns the value of a quantity of the service in a cell. If the service runs beside itself, returns the lower value.
 */
function own({ cell }: CellThen, name: string, quantity: string): Estimate | undefined {
  const values = cell.sides.filter(({ contestant }) => contestant === name).map(({ values: all }) => all[quantity]!);
  return values.sort((a, b) => (a.value ?? Infinity) - (b.value ?? Infinity))[0];
}

type Row = { id: string; title: string; quantity: 'share' | 'throughput'; history: CellThen[] };

function rowsOf(cycles: readonly SiteCycle[], name: string, link: string): Row[] {
  return [...cellHistories(cycles)].flatMap(([id, history]): Row[] => {
    const { cell } = history.at(-1)!;
    if (cell.link !== link || !cell.sides.some(({ contestant }) => contestant === name)) return [];
    if (cell.sides.length === 1) return [{ id, title: 'alone (throughput)', quantity: 'throughput', history }];
    const other = cell.sides.find(({ contestant }) => contestant !== name)?.contestant;
    const title = other === undefined ? 'beside itself (the lower share)' : `beside ${titleOfService(cycles, other)}`;
    return [{ id, title, quantity: 'share', history }];
  });
}

function linkSection(cycles: readonly SiteCycle[], name: string, link: string): Html | null {
  const rows = rowsOf(cycles, name, link);
  if (rows.length === 0) return null;
  const valuesOf = ({ history, quantity }: Row, of: readonly SiteCycle[]) =>
    of.map(cycle => {
      const then = history.find(one => one.cycle === cycle);
      return then === undefined ? undefined : { then, value: own(then, name, quantity) };
    });
  const columns = cycles.slice(-mostColumns).reverse();
  const chart = historyChart(
    'Share of the fair share',
    'ratio',
    cycles.map(cycle => cycle.name),
    rows
      .filter(({ quantity }) => quantity === 'share')
      .map(row => ({ label: row.title, values: valuesOf(row, cycles).map(at => at?.value) })),
    1,
  );
  const lines = rows.map(row => {
    const unit = row.quantity === 'share' ? 'ratio' : 'bit/s';
    const cells = valuesOf(row, columns).map(at =>
      at?.value === undefined ? html`<td>\u2013</td>` : html`<td>${estimateHtml(at.value, unit)}</td>`,
    );
    return html`<tr><th scope="row"><a href="${up}${addresses.pair(row.id)}">${row.title}</a></th>${cells}</tr>`;
  });
  return html`<section id="${link}"><h2>${titleOfLink(cycles, link)}</h2>
${chart === null ? null : html`<figure>${chart}</figure>`}
<div class="scroll history"><table><thead><tr><th></th>
${columns.map(cycle => html`<th>Cycle ${cycle.name}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table></div></section>`;
}

/** Returns the page of service `name`, which at least one cycle must have. */
export async function renderServicePage(cycles: readonly SiteCycle[], name: string): Promise<string> {
  const title = titleOfService(cycles, name);
  const models = newestOf(
    cycles,
    ({ summary }) => summary.contestants.find(one => one.name === name)?.models ?? undefined,
  );
  const links = [...new Set(cycles.flatMap(({ summary }) => summary.links.map(({ id }) => id)))];
  const redefined = cycles.flatMap(({ name: cycle, changes }) =>
    (changes?.services ?? []).filter(text => text.startsWith(`${name} is `)).map(text => `Cycle ${cycle}: ${text}.`),
  );
  const isGone = !cycles.at(-1)!.summary.contestants.some(one => one.name === name);
  const modelled = models === undefined ? '' : `. It models ${models}`;
  const newestOnly = `The table has the newest ${mostColumns} of ${cycles.length} cycles; a`;
  return renderStillPage(
    title,
    html`<style>${pairsStyle}</style><header><h1>${title}</h1>
<p class="question">What it gets beside each other service${modelled}</p>
<nav aria-label="Site"><ul class="contents">
<li><a href="${up}${addresses.landing}">All services and pairs</a></li>
${links.map(id => html`<li><a href="#${id}">${id}</a></li>`)}</ul></nav>
${isGone ? html`<p class="degraded">It is not in the newest cycle.</p>` : null}
${redefined.map(text => html`<p class="note">${text}</p>`)}</header>
<main id="report" tabindex="-1">${links.map(link => linkSection(cycles, name, link))}
<p class="note">Share: median of what the service got of its max-min fair share, with its 95 % interval where there are
trials enough. ${cycles.length > mostColumns ? newestOnly : 'A'} row leads to the page of the pair, which has every
cycle and every trial.</p></main>`,
  );
}
