/** Index of a repeated study of any kind without pages of its own: what each cycle found, and what changed. */

import type { Plugin } from '../../core/plugins.ts';
import { object } from '../../core/schema/schema.ts';
import type { RunComparison } from '../../harness/analysis/compare/compare-runs.ts';
import type { CompleteCycle } from '../../harness/record/cycles.ts';
import { isChanged, renderComparison } from '../comparison.ts';
import { minute } from '../format.ts';
import { type Html, html } from '../html.ts';
import { renderStillPage } from '../page/still-page.ts';

/** A complete cycle. `address`: its folder, relative to the folder of the site. */
type SiteCycle = CompleteCycle & { address: string; createdMs: number };

/** Content of the folder of a repeated study. */
export type Site = {
  title: string;
  /** Complete cycles, oldest first. */
  cycles: readonly SiteCycle[];
  /** The running cycle. Null if no cycle is running. */
  underWay: { name: string; createdMs: number } | null;
  /** Address of the published site, with a slash at its end. Null if the address is unknown. */
  url: string | null;
};

/** A page of the site. `path`: relative to the site's folder. */
export type SiteFile = { path: string; text: string };

export type CycleReports = Plugin & {
  /** Name of the comparison with the cycle before, in the folder of a cycle. */
  comparisonName: string;
  renderComparison: typeof renderComparison;
  changedIn: typeof changedIn;
  pages: typeof pages;
};

const comparisonName = 'comparison.html';

/** Counts the differences of two cycles, and the headline quantities that changed significantly. */
function changedIn({ changes, conditions, tested }: RunComparison) {
  const rows = conditions.flatMap(condition => condition.rows);
  return {
    differences: changes.length + conditions.reduce((sum, condition) => sum + condition.changes.length, 0),
    tested: tested.headline,
    changed: rows.filter(row => row.isHeadline && isChanged(row)).length,
  };
}

function changes({ comparison, address }: SiteCycle): Html | string {
  if (comparison === null) return '\u2013';
  const { with: before, differences, tested, changed } = comparison;
  const same =
    differences === 0
      ? 'Versions, machine and plan are the same.'
      : `Differences of versions, machine and plan: ${differences}.`;
  return html`<a href="${address}${comparisonName}">Against cycle ${before}</a>: ${changed} of ${tested} headline
quantities changed significantly. ${same}`;
}

async function pages({ title, cycles, underWay }: Site): Promise<SiteFile[]> {
  const rows = cycles.toReversed().map(
    cycle => html`<tr>
<th scope="row"><a href="${cycle.address}report.html">Cycle ${cycle.name}</a><small>begun ${minute(cycle.createdMs)}</small></th>
<td>${[...cycle.lines, ...(cycle.missing === null ? [] : [cycle.missing])].map(line => html`${line}<br>`)}</td>
<td>${changes(cycle)}</td></tr>`,
  );
  const running =
    underWay === null
      ? null
      : html`<p class="facts">Cycle ${underWay.name}, begun ${minute(underWay.createdMs)}, is under way.</p>`;
  const table =
    rows.length === 0
      ? html`<p>No cycle is complete yet.</p>`
      : html`<div class="scroll"><table><thead><tr><th>Cycle</th><th>Result</th><th>Since the cycle before</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  const body = html`<header><h1>${title}</h1>${running}</header>
<main id="report" tabindex="-1"><section id="cycles"><h2>Every cycle</h2>${table}</section></main>`;
  return [{ path: 'index.html', text: await renderStillPage(title, body) }];
}

export const plugin: CycleReports = {
  id: 'cycles',
  title: 'Index of a repeated study',
  source: 'own',
  params: object({}),
  comparisonName,
  renderComparison,
  changedIn,
  pages,
};
