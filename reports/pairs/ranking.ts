/**
 * Who takes, who yields, and what neither explains (Philip et al., SIGCOMM 2024, section 4, observations 12 and 14,
 * table 3).
 */
import type { Rank } from '../../harness/pairs/analysis/ranking.ts';
import type { LinkSummary } from '../../harness/pairs/summary.ts';
import { formatValue } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { intervalSaid, isWhole, linkSections, meetingOf, sideHtml, titleOf } from './data.ts';
import type { PairsReport } from './data.ts';

function rankTable(report: PairsReport, title: string, what: string, word: string, ranks: readonly Rank[]): Html {
  return html`<figure><div class="scroll"><table><thead><tr><th>${title}</th><th>${what}</th><th>Below its fair share for sure</th><th>Below 90 % for sure</th></tr></thead>
<tbody>${ranks.map(
    ({
      service,
      share,
      n,
      belowFair,
      belowNinety,
      isMarked,
    }) => html`<tr><th scope="row">${titleOf(report, service)}${isMarked === true ? html`<small>${word}</small>` : null}</th>
<td>${formatValue(share, 'ratio')}</td><td>${belowFair} of ${n}</td><td>${belowNinety} of ${n}</td></tr>`,
  )}</tbody></table></div></figure>`;
}

function triplesSaid(report: PairsReport, { id, triples }: LinkSummary): Html | null {
  if (triples.all === 0) return null;
  const shareOf = (incumbent: string, contender: string) => {
    const meeting = meetingOf(report, id, incumbent, contender);
    return meeting === undefined ? null : sideHtml(report, meeting.incumbent, 'share');
  };
  return html`<p>Non-transitive triples: ${triples.found.length} of ${triples.decidable} that could be decided (of ${triples.all} ordered triples).</p>
${
  triples.found.length === 0
    ? null
    : html`<figure><div class="scroll"><table><thead><tr><th>\u03b1, \u03b2, \u03b3</th><th>\u03b2 beside \u03b1</th><th>\u03b3 beside \u03b2</th><th>\u03b3 beside \u03b1</th></tr></thead>
<tbody>${triples.found.map(
        ({
          alpha,
          beta,
          gamma,
          kind,
        }) => html`<tr><th scope="row">${[alpha, beta, gamma].map(name => titleOf(report, name)).join(', ')}<small>${kind}</small></th>
<td>${shareOf(beta, alpha)}</td><td>${shareOf(gamma, beta)}</td><td>${shareOf(gamma, alpha)}</td></tr>`,
      )}</tbody></table></div></figure>`
}`;
}

function oddSaid(report: PairsReport, { odd }: LinkSummary): Html | null {
  if (odd.length === 0) return null;
  return html`<p>Pairs that differ from what both services do elsewhere: ${odd.map(({ incumbent, contender, factor }) => `${titleOf(report, incumbent)} beside ${titleOf(report, contender)} \u00d7 ${factor.toFixed(2)}`).join('; ')}.</p>`;
}

export function rankingSection(report: PairsReport): Html {
  const isRanked = ({ id }: LinkSummary) => isWhole(report, id);
  if (!report.summary.links.some(isRanked))
    return html`<p>Nobody is ranked: only picked pairs were measured, and a rank is one among all.</p>`;
  return html`${linkSections(report, link =>
    isRanked(link)
      ? html`<div class="panels">
<div>${rankTable(report, 'Contentiousness', 'What the others get beside it, median', 'contentious', link.contentiousness)}</div>
<div>${rankTable(report, 'Sensitivity', 'What it gets beside the others, median', 'sensitive', link.sensitivity)}</div></div>
${triplesSaid(report, link)}${oddSaid(report, link)}`
      : null,
  )}
<p class="note">A service beside itself does not count here. "Contentious" and "sensitive": more than half of these shares lie below the fair share with their whole interval. Fair is an interval from 90 % on, unfair one below 90 %. ${intervalSaid(report)}</p>`;
}
