/** Section with the differences between this cycle and the cycle before. */
import { formatValue } from '../format.ts';
import { type Html, html } from '../html.ts';
import { estimateHtml, type PairsReport, titleOf } from './data.ts';

/**
 * Returns the section. Null if there is no cycle before. `most`: maximum number of changed shares that are listed; the
 * largest changes come first.
 */
export function changesSection(report: Pick<PairsReport, 'summary' | 'changes'>, most = Infinity): Html | null {
  if (report.changes === null) return null;
  const {
    since,
    changes: { machine, run, services, shares, comparable },
  } = report.changes;
  const far = ({ before, after }: (typeof shares)[number]) => Math.abs(after.value! - before.value!);
  const named = shares.length <= most ? shares : shares.toSorted((a, b) => far(b) - far(a)).slice(0, most);
  const things = [...machine, ...run, ...services];
  const said = things.length === 0 ? 'machine, services and how they are run are the same.' : `${things.join('; ')}.`;
  const rows = named.map(({ link, incumbent, contender, before, after }) => {
    const pair = `${titleOf(report, incumbent)} beside ${titleOf(report, contender)}`;
    return html`<tr><th scope="row">${pair}</th><td>${link}</td>
<td>${estimateHtml(before, 'ratio')}</td>
<td>${estimateHtml(after, 'ratio')}</td>
<td>${formatValue(after.value! - before.value!, 'ratio')}</td></tr>`;
  });
  const all = shares.length;
  const caption =
    named.length === all
      ? null
      : html`<figcaption>The ${named.length} that moved farthest; the report of the cycle has all ${all}.</figcaption>`;
  const table = html`<figure><div class="scroll"><table>
<thead><tr><th>Share</th><th>Link</th><th>Before</th><th>Now</th><th></th></tr></thead>
<tbody>${rows}</tbody></table></div>${caption}</figure>`;
  return html`<p>Against ${since}: ${said}</p>
${all === 0 ? null : table}
<p class="note">${all} of ${comparable} shares that have an interval in both cycles moved out of it. Where nothing
changed, at most one such pair of intervals in ten is disjoint, and about one in 170 where trials are normal.</p>`;
}
