/** The paper's findings beside what was measured here. */
import { claimCount, findingsOf } from '../../harness/pairs/findings.ts';
import type { Finding, Measurement } from '../../harness/pairs/findings.ts';
import { quantityOf } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { estimateHtml, intervalSaid, titleOf } from './data.ts';
import type { PairsReport } from './data.ts';

const words = { reproduced: 'reproduced', refuted: 'refuted', undecided: 'undecided: the intervals overlap, or there are none' } as const;

function measuredHtml(report: PairsReport, { estimate, incumbent, contender, quantity, deep }: Measurement & Pick<Finding['first'], 'estimate'>): Html {
  const { title, unit } = quantityOf(report.summary.quantities, quantity);
  return html`<td>${estimateHtml(estimate, unit)}<small>${title}: ${titleOf(report, incumbent)} ${contender === null ? 'alone' : `beside ${titleOf(report, contender)}`}${deep === true ? ', doubled queue' : ''}</small></td>`;
}

/** Null where the matrix holds none of the comparisons. */
export function findingsSection(report: PairsReport): Html | null {
  const findings = findingsOf(report.summary);
  if (findings.length === 0) return null;
  return html`<figure><div class="scroll"><table><thead><tr><th>The paper</th><th>Link</th><th>One</th><th>The other</th><th>Here</th></tr></thead>
<tbody>${findings.map(({ paper, observation, link, first, second, verdict }) => html`<tr><th scope="row">${paper}<small>observation ${observation}</small></th><td>${link}</td>
${measuredHtml(report, first)}${measuredHtml(report, second)}<td class="${verdict === 'reproduced' ? 'valid' : verdict === 'refuted' ? 'invalid' : ''}">${words[verdict]}</td></tr>`)}</tbody></table></div>
<figcaption>Of ${claimCount} comparisons on each link, those that this matrix has the services for. Reproduced and refuted only where the intervals are disjoint. ${intervalSaid(report)}
Our services model the stacks; the networks, clients and servers of the paper's are other ones, so numbers differ where directions agree.</figcaption></figure>`;
}
