/**
 * Section with the claims of papers, RFCs and other sources or of the study itself, and the verdict on each. It is the
 * first section in the report of a study with claims.
 */

import { object } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import { isOwnSource } from '../../../core/vocabulary/source-words.ts';
import type { JudgedClaim, JudgedComparison, Margin } from '../../../harness/analysis/gate/claims.ts';
import { formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { claimWord, type JudgedReport, judgementClass } from '../../judged-report.ts';
import { titleOf as titleOfValue } from '../../named.ts';
import type { ReportSection } from '../../report.ts';
import { valueCell } from '../../value-cell.ts';

const partWords = { right: 'holds', wrong: 'does not hold', undecided: 'undecided' } as const;

const margin = (of: Margin, unit: string) =>
  'ratio' in of ? `${Number((of.ratio * 100).toPrecision(3))} %` : formatValue(of.amount, unit);

function expectation(comparison: JudgedComparison, unit: string): string {
  if ('bound' in comparison) return `${comparison.bound} ${formatValue(comparison.limit, unit)}`;
  switch (comparison.expects) {
    case 'different':
      return 'different from';
    case 'alike':
      return `within ${margin(comparison.within, unit)} of`;
    case 'not-lower':
      return `at most ${margin(comparison.within, unit)} lower than`;
    case 'not-higher':
      return `at most ${margin(comparison.within, unit)} higher than`;
    default:
      return 'ratio' in comparison.by && comparison.by.ratio === 0
        ? `${comparison.expects} than`
        : `at least ${margin(comparison.by, unit)} ${comparison.expects} than`;
  }
}

function rows(
  { judged: { quantities, conditions, parties } }: JudgedReport,
  holds: readonly JudgedComparison[],
): Html[] {
  const titleOf = (id: string) => conditions.find(condition => condition.id === id)!.title;
  return holds.map(comparison => {
    const { metric, of, condition, measured, other, judgement } = comparison;
    const { unit } = quantityOf(quantities, metric);
    const title = titleOfValue(quantities, { metric, of }, parties);
    const than = 'than' in comparison ? html`<small>${titleOf(comparison.than)}</small>` : null;
    return html`<tr><th scope="row">${title}<small>${titleOf(condition)}</small></th>${valueCell(measured, unit)}
<td>${expectation(comparison, unit)}${than}</td>
${other === null ? html`<td></td>` : valueCell(other, unit)}
<td class="${judgementClass[judgement]}">${partWords[judgement]}</td></tr>`;
  });
}

const isHeld = ({ judgement }: JudgedComparison) => judgement === 'right';
const isRefuted = ({ judgement }: JudgedComparison) => judgement === 'wrong';

const isOwn = ({ source }: JudgedClaim) => isOwnSource(source);

/** A part of a source that names an RFC, and one that names another specification. */
const rfc = /^RFC \d/;
const otherSpecification = /^(?:draft-|ITU-|W3C |WICG )/;
/** Words that only the source of a paper has, unless it is a specification. A source may be a place in the paper alone. */
const ofPaper = /\bet al\.|\barXiv\b|\b(?:section|figure|table)s?\b/i;

/** Returns the heading by the sources of the claims. */
function headingOf(claims: readonly JudgedClaim[]): string {
  if (claims.every(isOwn)) return 'Claims of this study';
  if (claims.some(isOwn)) return 'Claims';
  const parts = claims.flatMap(({ source }) => source.split('; '));
  if (parts.every(part => rfc.test(part))) return 'What the RFCs claim';
  const isPaper = (part: string) => !rfc.test(part) && !otherSpecification.test(part) && ofPaper.test(part);
  return parts.every(isPaper) ? 'What the paper found' : 'What the sources claim';
}

/**
 * Returns the verdict on a claim in two parts: "reproduced", and ": text of the claim (section 4.1; 12 of 12
 * comparisons hold)".
 */
function verdictOf(claim: JudgedClaim): [string, string] {
  const { text, source, judgement, holds } = claim;
  const [held, refuted] = [holds.filter(isHeld).length, holds.filter(isRefuted).length];
  const open = holds.length - held - refuted;
  const counts = [
    `${held} of ${counted(holds.length, 'comparison')} ${held === 1 || holds.length === 1 ? 'holds' : 'hold'}`,
    ...(refuted === 0 ? [] : [`${refuted} ${refuted === 1 ? 'does' : 'do'} not`]),
    ...(open === 0 ? [] : [`${open} undecided`]),
  ];
  const said = isOwn(claim) ? counts.join(', ') : `${source}; ${counts.join(', ')}`;
  return [claimWord(judgement, isOwn(claim)), `: ${text} (${said})`];
}

export const plugin: ReportSection<JudgedReport> = {
  id: 'claims',
  title: 'Claims',
  heading: ({ judged: { claims } }) => headingOf(claims),
  source: 'own',
  params: object({}),
  order: 9,
  async render(report) {
    const { claims } = report.judged;
    if (claims.length === 0) return null;
    const verdicts = claims.map(claim => {
      const [verdict, rest] = verdictOf(claim);
      return html`<li><b class="${judgementClass[claim.judgement]}">${verdict}</b>${rest}</li>`;
    });
    const figures = claims.map(
      ({ text, holds }) => html`<figure><p>${text}</p>
<div class="scroll"><table>
<thead><tr><th>Metric</th><th>Measured</th><th>Claimed</th><th>Compared value</th><th>Verdict</th></tr></thead>
<tbody>${rows(report, holds)}</tbody></table></div></figure>`,
    );
    return html`<ul class="verdict">${verdicts}</ul>
<details><summary>The comparisons of each claim</summary>${figures}</details>
<p class="note">A claim is ${claims.every(isOwn) ? 'confirmed' : 'reproduced'} if all of its rows hold, and refuted if one does not. A row is decided only if
the 95 % intervals of the medians leave no doubt, which takes six trials: two conditions differ if their intervals do not
overlap. They differ by a margin, or agree within one, if this is true for every pair of values from the two intervals.
The claims are those in plan.json of the run; later changes of the study do not affect them.</p>`;
  },
  lines: ({ judged: { claims } }) => claims.map(claim => verdictOf(claim).join('')),
};
