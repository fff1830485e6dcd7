/** The page of all cycles of a study that goes on for ever. */
import type { Changes } from '../../harness/pairs/changes.ts';
import type { PairsSummary } from '../../harness/pairs/summary.ts';
import { formatValue } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { renderPage } from '../page/page.ts';
import { isWhole } from './data.ts';

export type CycleLine = {
  name: string;
  createdMs: number;
  summary: PairsSummary;
  href: string;
  /** From the cycle before; null for the first. */
  changes: Changes | null;
};

const minute = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function table(cycles: readonly CycleLine[]): Html {
  const rows = [...cycles].reverse().map(
    ({
      name,
      createdMs,
      summary,
      href,
      changes,
    }) => html`<tr><th scope="row"><a href="${href}">Cycle ${name}</a><small>begun ${minute(createdMs)}</small></th>
<td>${summary.trials.filter(({ verdict }) => verdict.status !== 'invalid').length}</td>
<td>${summary.links.map(({ id, losers }) => (isWhole({ summary }, id) ? html`${id}: ${formatValue(losers.median, 'ratio')}<br>` : null))}</td>
<td>${changes === null ? '\u2013' : html`${[...changes.machine, ...changes.run, ...changes.services].map(text => html`${text}<br>`)}${changes.shares.length} of ${changes.comparable} shares moved`}</td></tr>`,
  );
  return html`<figure><div class="scroll"><table><thead><tr><th>Cycle</th><th>Trials that count</th><th>The loser's share, median</th><th>Since the cycle before</th></tr></thead><tbody>${rows}</tbody></table></div>
<figcaption>A share moved where its 95 % intervals of both cycles are disjoint; only shares with an interval in both count.</figcaption></figure>`;
}

/** `cycles`: those that are complete, the oldest first. `underWay`: the one that runs; null where none does. */
export async function renderIndex(
  title: string,
  cycles: readonly CycleLine[],
  underWay: { name: string; createdMs: number } | null,
): Promise<string> {
  return renderPage(
    title,
    html`<h1>${title}</h1><p class="question">Cycle after cycle, the newest first.</p>
${underWay === null ? null : html`<p>Cycle ${underWay.name}, begun ${minute(underWay.createdMs)}, is under way; it stands here when its last pair is done.</p>`}
<main id="report" tabindex="-1">${cycles.length === 0 ? null : table(cycles)}</main>`,
  );
}
