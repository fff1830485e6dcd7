/** Section that compares each condition with its baseline: change, harm, and significance. It also lists outliers. */

import { object } from '../../../core/schema/schema.ts';
import { significance } from '../../../core/stats/false-discovery.ts';
import { fewestForOutliers } from '../../../core/stats/outliers.ts';
import { fewestPairs, leastP as leastOf } from '../../../core/stats/signed-rank.ts';
import { counted } from '../../../core/text/counted.ts';
import { families as familiesBy, primaryOf } from '../../../core/vocabulary/headline.ts';
import type { Comparison, PairedTest } from '../../../harness/analysis/summary/summary.ts';
import { formatNumber, formatValue, quantityOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { titleOf as titleOfValue, valueOver } from '../../named.ts';
import type { ReportData, ReportSection } from '../../report.ts';
import { isRate, ratesOf } from '../../subject-rate.ts';
import { valueCell } from '../../value-cell.ts';

/** Metrics whose rows are visible at first. The rows of other metrics are folded up. */
const first = [
  'frame-rate',
  'frame-rate-low',
  'stall-time',
  'freeze-count',
  'frame-latency-p95',
  'goodput',
  'frame-height',
  'vmaf-mean',
  'rtt-p95',
  'high-delay-packets',
  'loss',
  'g1072-score',
];

const titleOf = ({ plan }: ReportData, of: string) => plan.conditions.find(({ id }) => id === of)!.title;

const formatP = (p: number) => (p < 0.001 ? '< 0.001' : String(Number(p.toPrecision(2))));

/** True if enough pairs differ for p, but too few for its correction to show a change in this metric alone. */
const isUntestable = ({ leastP, correctedP, smallestShown }: PairedTest) =>
  leastP !== null && leastP < significance && correctedP! >= significance && smallestShown === null;

/** Returns the table cell of a corrected p. If there are too few pairs of trials, the cell says so. */
function pCell(test: PairedTest): Html {
  const { p, correctedP, leastP, pairs, changed } = test;
  if (p === null || correctedP === null || leastP === null) return html`<td>\u2013</td>`;
  if (changed === 0) return html`<td>no pair differs</td>`;
  if (pairs < fewestPairs(significance)) return html`<td>too few pairs</td>`;
  if (leastP >= significance)
    return html`<td>too few pairs differ<small>p = ${formatP(p)}, cannot fall below ${formatP(leastP)}</small></td>`;
  if (isUntestable(test)) return html`<td>not testable<small>before correction ${formatP(p)}</small></td>`;
  const text =
    correctedP < significance ? html`<b>${formatP(correctedP)}</b>` : html`${formatP(correctedP)}, not significant`;
  return html`<td>${text}<small>before correction ${formatP(p)}</small></td>`;
}

function rows(
  { condition, baseline, harm, tests }: Comparison,
  { summary }: ReportData,
  ids: readonly string[],
): Html[] {
  const medians = (of: string) => summary.conditions.find(({ id }) => id === of)!.metrics;
  return ids.map(id => {
    const { title, unit } = quantityOf(summary.quantities, id);
    const test = tests[id]!;
    return html`<tr><th scope="row">${title}</th>
<td>${formatValue(medians(baseline)[id]!.value, unit)}</td>
<td>${formatValue(medians(condition)[id]!.value, unit)}</td>
${valueCell(test.shift, unit, { signed: true })}
${valueCell(harm[id]!, 'ratio')}
<td>${test.effect === null ? '\u2013' : formatNumber(test.effect, '')}</td>
${pCell(test)}</tr>`;
  });
}

const head = (report: ReportData, { condition, baseline }: Comparison) => html`<thead><tr><th></th>
<th scope="col">${titleOf(report, baseline)}</th>
<th scope="col">${titleOf(report, condition)}</th>
<th scope="col">Change</th>
<th scope="col">Harm</th>
<th scope="col">Effect</th>
<th scope="col">p, corrected</th></tr></thead>`;

function table(report: ReportData, comparison: Comparison): Html | null {
  const ids = Object.entries(comparison.tests)
    .filter(([, { pairs }]) => pairs > 0)
    .map(([id]) => id);
  if (ids.length === 0) return null;
  const [shown, folded] = [first.filter(id => ids.includes(id)), ids.filter(id => !first.includes(id))];
  const part = (of: readonly string[]) => html`<div class="scroll"><table>${head(report, comparison)}
<tbody>${rows(comparison, report, of)}</tbody></table></div>`;
  const more = html`<details><summary>${folded.length} more metrics</summary>${part(folded)}</details>`;
  return html`<h3>${titleOf(report, comparison.condition)} against ${titleOf(report, comparison.baseline)}</h3>
${shown.length === 0 ? null : part(shown)}
${folded.length === 0 ? null : more}`;
}

/** Describes how many tests of each family can reach significance: "3 of 8 primary metrics". */
function familiesOf({ plan, summary }: ReportData): string[] {
  const known: readonly string[] = ratesOf(summary);
  const all = summary.comparisons.flatMap(({ tests }) =>
    Object.entries(tests).filter(([id]) => !isRate(id) || known.includes(id)),
  );
  return familiesBy(all, ([id]) => id, primaryOf(plan)).map((family, k) => {
    const able = family.filter(([, { leastP }]) => leastP !== null && leastP < significance).length;
    return `${able} of ${family.length} ${k === 0 ? 'primary metrics' : 'other metrics'}`;
  });
}

/** Returns a list of the outliers, with value and trial of each. */
function outliers({ summary, plan }: ReportData): Html {
  const found = summary.conditions.flatMap(condition =>
    condition.outliers.map(({ quantity: metric, of, ...outlier }) => {
      const named = { metric, of };
      return { ...outlier, named, title: condition.title, median: valueOver(condition, named)!.value };
    }),
  );
  const rule = html`Values beyond Tukey's fences (1.5 interquartile ranges outside the quartiles of their condition),
from ${fewestForOutliers} trials on. They are included in every number`;
  if (found.length === 0) {
    const judged = summary.conditions.some(({ trials }) => trials >= fewestForOutliers);
    const tooFew = `no condition has the ${fewestForOutliers} trials that the test needs.`;
    return html`<p class="note">Outliers: ${judged ? html`none. (${rule}.)` : tooFew}</p>`;
  }
  const trials = new Set(found.map(({ trial }) => trial)).size;
  const rows = found.flatMap(({ trial, named, value, title, median }) => {
    const { unit } = quantityOf(summary.quantities, named.metric);
    const name = titleOfValue(summary.quantities, named, plan.conditions);
    const [own, others] = [formatValue(value, unit), formatValue(median, unit)];
    return own === others ? [] : [html`<li>trials/${trial}: ${name} ${own} (median of ${title}: ${others})</li>`];
  });
  const close = found.length - rows.length;
  const all = counted(found.length, 'value');
  const notListed =
    close === 0
      ? ''
      : ` ${close} of these ${found.length} values ${close === 1 ? 'is' : 'are'} not listed because ` +
        `${close === 1 ? 'it rounds' : 'they round'} to the median of the condition; summary.json has them.`;
  return html`<details><summary>Outliers: ${all} of ${counted(trials, 'trial')}</summary>
<p class="note">${rule}.${notListed}</p>
<ul>${rows}</ul></details>`;
}

export const plugin: ReportSection = {
  id: 'comparisons',
  title: 'Compared with the baseline',
  source:
    'Wilcoxon, 1945; Hodges and Lehmann, 1963; Benjamini and Hochberg, 1995; Gilbert, 2005; Ware et al., HotNets 2019',
  params: object({}),
  order: 61,
  async render(report) {
    const { comparisons } = report.summary;
    const tables = comparisons.flatMap(comparison => table(report, comparison) ?? []);
    if (tables.length === 0) return null;
    const all = comparisons.flatMap(({ tests: of }) => Object.values(of));
    const families = familiesOf(report);
    const most = Math.max(...all.map(({ pairs }) => pairs));
    const needed = fewestPairs(significance);
    const pairs = most === 1 ? 'one pair' : `at most ${most} pairs`;
    const few =
      most < needed
        ? html`<p>With ${pairs} of trials, p cannot be below ${formatP(leastOf(most))}, however clear the difference.
p &lt; ${significance} needs ${needed} pairs (--repeats ${needed}). So no change below can be significant.</p>`
        : null;
    const untestable = all.some(isUntestable)
      ? ' Not testable: the pairs are too few for the corrected p of a change in this metric alone, however large it is.'
      : '';
    const rates: readonly string[] = ratesOf(report.summary);
    const names = primaryOf(report.plan)
      .filter(id => !isRate(id) || rates.includes(id))
      .map(id => quantityOf(report.summary.quantities, id).title)
      .join(', ');
    return html`${few}${tables}
<p class="note">Pairs are the trials of one repeat, which have the same random losses. Change: Hodges-Lehmann estimate
of condition minus baseline; brackets: its exact interval (95 % if there are enough pairs, otherwise their range).
Harm (Ware et al.): share of the baseline's performance that is lost, median over pairs; negative means an improvement.
Effect: matched-pairs rank-biserial correlation, 1 or \u22121 if all pairs change in the same direction.
p: Wilcoxon's signed-rank test, exact and two-sided, corrected by Benjamini and Hochberg within two families of tests,
counting the tests that can reach p < ${significance} with their pairs: ${families.join(', ')}.${untestable} The primary metrics, on
which the result at the top is based, are ${names}.</p>
${outliers(report)}`;
  },
};
