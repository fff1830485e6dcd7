/** Section with the paper's findings, each with the values that this study measured. */

import { object } from '../../../../core/schema/schema.ts';
import { formatRate } from '../../../../core/text/units.ts';
import { utilisation } from '../../../../core/vocabulary/pair-names.ts';
import type { Finding, Measured } from '../../../../harness/studies/pairs/summary.ts';
import { formatValue, quantityOf } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import { claimWord, judgementClass } from '../../../judged-report.ts';
import type { ReportSection } from '../../../report.ts';
import { estimateHtml, intervalSaid, type PairsReport, sharesSaid, titleOf } from '../../data.ts';

const quantityIn = (report: PairsReport, { quantity }: Measured) =>
  quantityOf([...report.summary.quantities, utilisation], quantity);

/**
 * Describes the bound of a claim that a measurement misses. Undefined if the measurement keeps the bound, or if the
 * claim has no bound.
 */
function levelMissed(report: PairsReport, measured: Measured): string | undefined {
  const { level, estimate } = measured;
  if (level === undefined || measured.levelVerdict !== 'wrong') return undefined;
  const { unit } = quantityIn(report, measured);
  const bound =
    'below' in level ? `below ${formatValue(level.below, unit)}` : `above ${formatValue(level.above, unit)}`;
  return `${formatValue(estimate.value, unit)} is not ${bound}`;
}

function openSaid(report: PairsReport, first: Measured, second: Measured): string[] {
  const without = [first, second].filter(({ estimate: { low, high } }) => low === null || high === null);
  if (without.length > 0) {
    const which = without.length === 2 ? 'either value' : without[0] === first ? 'the first value' : 'the second value';
    return [`too few trials for an interval of ${which}`];
  }
  const overlap = first.estimate.low! <= second.estimate.high! && second.estimate.low! <= first.estimate.high!;
  const levels = [first, second].flatMap(measured => {
    const {
      level,
      estimate: { low, high },
    } = measured;
    if (level === undefined || measured.levelVerdict !== 'undecided') return [];
    const { unit } = quantityIn(report, measured);
    const bound = formatValue('below' in level ? level.below! : level.above!, unit);
    return [`${bound} lies between ${formatValue(low, unit)} and ${formatValue(high, unit)}`];
  });
  return [...(overlap ? ['the intervals overlap'] : []), ...levels];
}

function verdictSaid(report: PairsReport, { verdict, by, ratesBps, first, second }: Finding): string {
  if (verdict === 'undecided') return `undecided: ${openSaid(report, first, second).join('; ')}`;
  if (verdict !== 'elsewhere')
    return [
      claimWord(verdict, by === 'us'),
      ...[first, second].flatMap(measured => levelMissed(report, measured) ?? []),
    ].join(': ');
  return `no verdict: ${by === 'paper' ? "the paper's setting is" : 'asked for'} ${[...ratesBps]
    .sort((a, b) => a - b)
    .map(formatRate)
    .join(' and ')}`;
}

function measuredHtml(report: PairsReport, measured: Measured): Html {
  const { estimate, incumbent, contender, quantity, deep } = measured;
  const { title, unit } = quantityIn(report, measured);
  const joint = quantity === utilisation.id ? 'and' : 'beside';
  const other = contender === null ? 'alone' : `${joint} ${titleOf(report, contender)}`;
  const what = `${title}: ${titleOf(report, incumbent)} ${other}${deep === true ? ', doubled queue' : ''}`;
  return html`<td>${estimateHtml(estimate, unit)}<small>${what}</small></td>`;
}

function rowOf(report: PairsReport, finding: Finding): Html {
  const { text, by, observation, link, first, second, verdict } = finding;
  const source =
    by === 'paper' ? `the paper, observation ${observation}` : `our own question, after observation ${observation}`;
  return html`<tr><th scope="row">${text}<small>${source}</small></th><td>${link}</td>
${measuredHtml(report, first)}${measuredHtml(report, second)}
<td class="${verdict === 'elsewhere' ? '' : judgementClass[verdict]}">${verdictSaid(report, finding)}</td></tr>`;
}

/** Returns the section. Null if the matrix has the measurements of none of the claims. */
function render(report: PairsReport): Html | null {
  const { findings } = report.summary;
  if (findings.length === 0) return null;
  return html`<figure><div class="scroll"><table>
<thead><tr><th>Claim</th><th>Link</th><th>First value</th><th>Second value</th><th>Verdict</th></tr></thead>
<tbody>${findings.map(finding => rowOf(report, finding))}</tbody></table></div>
<figcaption>Only claims whose services were measured are listed. A claim is judged only at the rate that it was made
for, and only if the intervals do not overlap; a level that it names ("below 85 %") must hold for the whole interval.
Numbers in brackets in a claim are the paper's measurements; they are not judged. ${intervalSaid(report)}
Our services model the stacks; networks, clients and servers differ from the paper's. So numbers can differ even if
directions agree, and a claim that is refuted here can still be true of the original services. ${sharesSaid}</figcaption></figure>`;
}

export const plugin: ReportSection<PairsReport> = {
  id: 'findings',
  title: "The paper's findings here",
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  order: 40,
  render,
};
