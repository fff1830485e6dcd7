/** Landing page of a repeated study: results of the newest cycle, changes, and links to all other pages. */
import { formatValue, minute } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderStillPage } from '../../page/still-page.ts';
import { changesSection } from '../changes.ts';
import { isWhole } from '../data.ts';
import { shareMatrix } from '../matrices.ts';
import { pairsStyle } from '../style.ts';
import {
  addresses,
  cellHistories,
  counting,
  type SiteCycle,
  thingsChanged,
  titleOfCell,
  titleOfService,
} from './cycle.ts';
import { linkVerdict } from './verdict.ts';

/** Maximum number of changed shares on the landing page, so that the page stays short. */
const mostMoves = 12;

function newestSection(cycles: readonly SiteCycle[], newest: SiteCycle): Html {
  const { summary, name, changes, createdMs } = newest;
  const before = cycles.at(-2);
  const matrices = summary.links.map(link => {
    const matrix = shareMatrix({ summary }, link, ({ id }) => addresses.pair(id));
    return html`<h3>${link.title}</h3>${matrix}`;
  });
  const changed =
    changes === null || before === undefined
      ? null
      : changesSection({ summary, changes: { since: `cycle ${before.name}`, changes } }, mostMoves);
  const verdicts = summary.links.map(link => html`<li><b>${link.title}</b>: ${linkVerdict(summary, link)}</li>`);
  return html`<section id="verdict"><h2>What cycle ${name} found</h2>
<ul class="verdict">${verdicts}</ul>
<p><a href="${addresses.report(newest)}">The whole report of cycle ${name}</a>, begun ${minute(createdMs)}:
${counting(newest)} trials that count.</p></section>
<section id="matrix"><h2>Shares of the link</h2>${matrices}
<p class="note">A number leads to its pair: its history over the cycles, and its trials.</p></section>
${changed === null ? null : html`<section id="changes"><h2>What changed</h2>${changed}</section>`}`;
}

/** Returns links to the pages of all services and pairs, including those that only older cycles have. */
function pagesSection(cycles: readonly SiteCycle[]): Html {
  const services = [...new Set(cycles.flatMap(({ summary }) => summary.contestants.map(({ name }) => name)))];
  const histories = [...cellHistories(cycles)];
  const links = [...new Set(histories.map(([, history]) => history.at(-1)!.cell.link))];
  const serviceLinks = services.map(
    name => html`<li><a href="${addresses.service(name)}">${titleOfService(cycles, name)}</a></li>`,
  );
  const pairs = links.map(link => {
    const pairLinks = histories
      .map(([id, history]) => ({ id, cell: history.at(-1)!.cell }))
      .filter(({ cell }) => cell.link === link)
      .map(({ id, cell }) => html`<li><a href="${addresses.pair(id)}">${titleOfCell(cycles, cell)}</a></li>`);
    return html`<details><summary>${link}</summary><ul>${pairLinks}</ul></details>`;
  });
  return html`<section id="services"><h2>Services</h2><ul class="contents">${serviceLinks}</ul></section>
<section id="pairs"><h2>Pairs</h2>${pairs}</section>`;
}

function cyclesSection(cycles: readonly SiteCycle[]): Html {
  const changed = ({ changes }: SiteCycle) => {
    if (changes === null) return '\u2013';
    const things = thingsChanged(changes).map(text => html`${text}<br>`);
    return html`${things}${changes.shares.length} of ${changes.comparable} shares moved`;
  };
  const rows = cycles.toReversed().map(cycle => {
    const { name, createdMs, summary } = cycle;
    const losers = summary.links
      .filter(({ id }) => isWhole(cycle, id))
      .map(({ id, losers: { median } }) => html`${id}: ${formatValue(median, 'ratio')}<br>`);
    return html`<tr>
<th scope="row"><a href="${addresses.report(cycle)}">Cycle ${name}</a><small>begun ${minute(createdMs)}</small></th>
<td>${counting(cycle)}</td>
<td>${losers}</td>
<td>${changed(cycle)}</td></tr>`;
  });
  return html`<section id="cycles"><h2>Every cycle</h2><div class="scroll"><table><thead><tr><th>Cycle</th>
<th>Trials that count</th>
<th>The loser's share, median</th>
<th>Since the cycle before</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="note">A share moved where its 95 % intervals of both cycles are disjoint; only shares with an interval in both
count.</p></section>`;
}

/**
 * Returns the landing page. `cycles`: complete cycles, oldest first. `underWay`: the running cycle; null if no cycle is
 * running.
 */
export async function renderLanding(
  title: string,
  cycles: readonly SiteCycle[],
  underWay: { name: string; createdMs: number } | null,
): Promise<string> {
  const newest = cycles.at(-1);
  const sections =
    newest === undefined ? null : [newestSection(cycles, newest), pagesSection(cycles), cyclesSection(cycles)];
  const running =
    underWay === null
      ? null
      : html`<p class="facts">Cycle ${underWay.name}, begun ${minute(underWay.createdMs)}, is under way;
it stands here when its last pair is done.</p>`;
  return renderStillPage(
    title,
    html`<style>${pairsStyle}</style><header><h1>${title}</h1>
<p class="question">How do the services share a link, pair by pair, cycle after cycle?</p>
${running}
<p class="facts"><a href="${addresses.feed}">Feed of what changes (RSS)</a></p></header>
<main id="report" tabindex="-1">${sections}</main>`,
    html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${addresses.feed}">`,
  );
}
