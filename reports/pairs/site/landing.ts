/** The landing page of a study that goes on for ever: what the newest cycle found, what changed, and where all else is. */
import { formatValue } from '../../format.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { renderStillPage } from '../../page/still-page.ts';
import { changesSection } from '../changes.ts';
import { isWhole } from '../data.ts';
import { shareMatrix } from '../matrices.ts';
import { pairsStyle } from '../style.ts';
import { addresses, cellHistories, counting, minute, thingsChanged, titleOfCell, titleOfService } from './cycle.ts';
import type { SiteCycle } from './cycle.ts';
import { linkVerdict } from './verdict.ts';

/** Shares that moved, on a page that is to be read. */
const mostMoves = 12;

function newestSection(cycles: readonly SiteCycle[], newest: SiteCycle): Html {
  const { summary, name, changes } = newest;
  const before = cycles.at(-2);
  return html`<section id="verdict"><h2>What cycle ${name} found</h2>
<ul class="verdict">${summary.links.map(link => html`<li><b>${link.title}</b>: ${linkVerdict(summary, link)}</li>`)}</ul>
<p><a href="${addresses.report(newest)}">The whole report of cycle ${name}</a>, begun ${minute(newest.createdMs)}: ${counting(newest)} trials that count.</p></section>
<section id="matrix"><h2>Who gets what</h2>${summary.links.map(link => html`<h3>${link.title}</h3>${shareMatrix({ summary }, link, ({ id }) => addresses.pair(id))}`)}
<p class="note">A number leads to its pair: its history over the cycles, and its trials.</p></section>
${changes === null || before === undefined ? null : html`<section id="changes"><h2>What changed</h2>${changesSection({ summary, changes: { since: `cycle ${before.name}`, changes } }, mostMoves)}</section>`}`;
}

/** Pages of services and pairs, those that only older cycles have, too. */
function pagesSection(cycles: readonly SiteCycle[]): Html {
  const services = [...new Set(cycles.flatMap(({ summary }) => summary.contestants.map(({ name }) => name)))];
  const histories = [...cellHistories(cycles)];
  const links = [...new Set(histories.map(([, history]) => history.at(-1)!.cell.link))];
  return html`<section id="services"><h2>Services</h2><ul class="contents">${services.map(name => html`<li><a href="${addresses.service(name)}">${titleOfService(cycles, name)}</a></li>`)}</ul></section>
<section id="pairs"><h2>Pairs</h2>${links.map(
    link =>
      html`<details><summary>${link}</summary><ul>${histories
        .filter(([, history]) => history.at(-1)!.cell.link === link)
        .map(
          ([id, history]) =>
            html`<li><a href="${addresses.pair(id)}">${titleOfCell(cycles, history.at(-1)!.cell)}</a></li>`,
        )}</ul></details>`,
  )}</section>`;
}

function cyclesSection(cycles: readonly SiteCycle[]): Html {
  const rows = cycles.toReversed().map(
    cycle => html`<tr><th scope="row"><a href="${addresses.report(cycle)}">Cycle ${cycle.name}</a><small>begun ${minute(cycle.createdMs)}</small></th>
<td>${counting(cycle)}</td>
<td>${cycle.summary.links.map(({ id, losers }) => (isWhole(cycle, id) ? html`${id}: ${formatValue(losers.median, 'ratio')}<br>` : null))}</td>
<td>${cycle.changes === null ? '\u2013' : html`${thingsChanged(cycle.changes).map(text => html`${text}<br>`)}${cycle.changes.shares.length} of ${cycle.changes.comparable} shares moved`}</td></tr>`,
  );
  return html`<section id="cycles"><h2>Every cycle</h2><div class="scroll"><table><thead><tr><th>Cycle</th><th>Trials that count</th><th>The loser's share, median</th><th>Since the cycle before</th></tr></thead><tbody>${rows}</tbody></table></div>
<p class="note">A share moved where its 95 % intervals of both cycles are disjoint; only shares with an interval in both count.</p></section>`;
}

/** `cycles`: those that are complete, the oldest first. `underWay`: the one that runs; null where none does. */
export async function renderLanding(
  title: string,
  cycles: readonly SiteCycle[],
  underWay: { name: string; createdMs: number } | null,
): Promise<string> {
  const newest = cycles.at(-1);
  return renderStillPage(
    title,
    html`<style>${pairsStyle}</style><header><h1>${title}</h1><p class="question">How does each service fare beside each other one, cycle after cycle?</p>
${underWay === null ? null : html`<p class="facts">Cycle ${underWay.name}, begun ${minute(underWay.createdMs)}, is under way; it stands here when its last pair is done.</p>`}
<p class="facts"><a href="${addresses.feed}">Feed of what changes (RSS)</a></p></header>
<main id="report" tabindex="-1">${newest === undefined ? null : html`${newestSection(cycles, newest)}${pagesSection(cycles)}${cyclesSection(cycles)}`}</main>`,
    html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${addresses.feed}">`,
  );
}
