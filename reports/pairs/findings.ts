/** The paper's findings beside what was measured here. */
import { formatRate } from '../../harness/base/units.ts';
import type { Measurement } from '../../harness/pairs/claims.ts';
import { findingsOf } from '../../harness/pairs/findings.ts';
import type { Finding } from '../../harness/pairs/findings.ts';
import { utilisation } from '../../harness/pairs/summary.ts';
import { quantityOf } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { estimateHtml, intervalSaid, titleOf } from './data.ts';
import type { PairsReport } from './data.ts';

const words = { paper: { right: 'reproduced', wrong: 'refuted' }, us: { right: 'holds', wrong: 'does not hold' } } as const;
const classes = { right: 'valid', wrong: 'invalid', undecided: '', elsewhere: '' } as const;

function verdictSaid({ verdict, by, ratesBps }: Finding): string {
  if (verdict === 'undecided') return 'undecided: the intervals overlap, or there are none';
  if (verdict !== 'elsewhere') return words[by][verdict];
  return `no verdict: ${by === 'paper' ? 'the paper\'s setting is' : 'asked for'} ${[...ratesBps].sort((a, b) => a - b).map(formatRate).join(' and ')}`;
}

function measuredHtml(report: PairsReport, { estimate, incumbent, contender, quantity, deep }: Measurement & Pick<Finding['first'], 'estimate'>): Html {
  const { title, unit } = quantityOf([...report.summary.quantities, utilisation], quantity);
  return html`<td>${estimateHtml(estimate, unit)}<small>${title}: ${titleOf(report, incumbent)} ${contender === null ? 'alone' : `${quantity === utilisation.id ? 'and' : 'beside'} ${titleOf(report, contender)}`}${deep === true ? ', doubled queue' : ''}</small></td>`;
}

/** Null where the matrix holds none of the comparisons. */
export function findingsSection(report: PairsReport): Html | null {
  const findings = findingsOf(report.summary);
  if (findings.length === 0) return null;
  return html`<figure><div class="scroll"><table><thead><tr><th>Claim</th><th>Link</th><th>One</th><th>The other</th><th>Here</th></tr></thead>
<tbody>${findings.map(finding => html`<tr><th scope="row">${finding.text}<small>${finding.by === 'paper' ? `the paper, observation ${finding.observation}` : `our own question, after observation ${finding.observation}`}</small></th><td>${finding.link}</td>
${measuredHtml(report, finding.first)}${measuredHtml(report, finding.second)}<td class="${classes[finding.verdict]}">${verdictSaid(finding)}</td></tr>`)}</tbody></table></div>
<figcaption>The comparisons that this matrix has the services for. A claim is judged only at the rate that it was made for, and only where the intervals are disjoint. ${intervalSaid(report)}
Our services model the stacks; the networks, clients and servers of the paper's are other ones, so numbers differ where directions agree.</figcaption></figure>`;
}
