/**
 * Section on the ranks of services by the bandwidth that they take and yield, and on pairs that these ranks do not
 * explain (Philip et al., SIGCOMM 2024, section 4, observations 12 and 14, table 3).
 */
import { object } from '../../../../core/schema/schema.ts';
import type { Rank } from '../../../../harness/studies/pairs/analysis/ranking.ts';
import type { LinkSummary } from '../../../../harness/studies/pairs/summary.ts';
import { formatValue } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { intervalSaid, isWhole, linkSections, meetingOf, type PairsReport, sideHtml, titleOf } from '../../data.ts';

function rankTable(report: PairsReport, title: string, what: string, word: string, ranks: readonly Rank[]): Html {
  const rows = ranks.map(({ service, share, n, belowFair, belowNinety, isMarked }) => {
    const mark = isMarked === true ? html`<small>${word}</small>` : null;
    return html`<tr><th scope="row">${titleOf(report, service)}${mark}</th>
<td>${formatValue(share, 'ratio')}</td>
<td>${belowFair} of ${n}</td>
<td>${belowNinety} of ${n}</td></tr>`;
  });
  return html`<figure><div class="scroll"><table><thead><tr><th>${title}</th>
<th>${what}</th>
<th>Whole interval below the fair share</th>
<th>Whole interval below 90 %</th></tr></thead>
<tbody>${rows}</tbody></table></div></figure>`;
}

function triplesSaid(report: PairsReport, { id, triples }: LinkSummary): Html | null {
  if (triples.all === 0) return null;
  const shareOf = (incumbent: string, contender: string) => {
    const meeting = meetingOf(report, id, incumbent, contender);
    return meeting === undefined ? null : sideHtml(report, meeting.incumbent, 'share');
  };
  const { found, decidable, all } = triples;
  const said = `${found.length} of ${decidable} that could be decided (of ${all} ordered triples)`;
  if (found.length === 0) return html`<p>Non-transitive triples: ${said}.</p>`;
  const rows = found.map(({ alpha, beta, gamma, kind }) => {
    const titles = [alpha, beta, gamma].map(name => titleOf(report, name)).join(', ');
    return html`<tr><th scope="row">${titles}<small>${kind}</small></th>
<td>${shareOf(beta, alpha)}</td>
<td>${shareOf(gamma, beta)}</td>
<td>${shareOf(gamma, alpha)}</td></tr>`;
  });
  return html`<p>Non-transitive triples: ${said}.</p>
<figure><div class="scroll"><table><thead><tr><th>\u03b1, \u03b2, \u03b3</th>
<th>\u03b2 beside \u03b1</th>
<th>\u03b3 beside \u03b2</th>
<th>\u03b3 beside \u03b1</th></tr></thead>
<tbody>${rows}</tbody></table></div></figure>`;
}

function oddSaid(report: PairsReport, { odd }: LinkSummary): Html | null {
  if (odd.length === 0) return null;
  const pairs = odd.map(({ incumbent, contender, factor }) => {
    const names = `${titleOf(report, incumbent)} beside ${titleOf(report, contender)}`;
    return `${names} \u00d7 ${factor.toFixed(2)}`;
  });
  return html`<p>Pairs whose share differs from what the other pairs of both services suggest (measured / expected): ${pairs.join('; ')}.</p>`;
}

function render(report: PairsReport): Html {
  const isRanked = ({ id }: LinkSummary) => isWhole(report, id);
  if (!report.summary.links.some(isRanked))
    return html`<p>No ranking: it needs all pairs, and only selected pairs were measured.</p>`;
  const rankings = linkSections(report, link => {
    if (!isRanked(link)) return null;
    const { contentiousness, sensitivity } = link;
    const [given, got] = ['What the others get beside it, median', 'What it gets beside the others, median'];
    return html`<div class="panels">
<div>${rankTable(report, 'Contentiousness', given, 'contentious', contentiousness)}</div>
<div>${rankTable(report, 'Sensitivity', got, 'sensitive', sensitivity)}</div></div>
${triplesSaid(report, link)}${oddSaid(report, link)}`;
  });
  return html`${rankings}
<p class="note">A service beside itself does not count here. "Contentious" and "sensitive": more than half of these
shares lie below the fair share with their whole interval. Fair is an interval from 90 % on, unfair one below 90 %.
${intervalSaid(report)}</p>`;
}

export const plugin: ReportSection<PairsReport> = {
  id: 'ranking',
  title: 'Contentiousness and sensitivity',
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  order: 50,
  render,
};
