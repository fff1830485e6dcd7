/**
 * Renders the comparison of two runs of a study as one HTML file: differences between the runs, changed results, and
 * all numbers of both runs.
 */

import { fewestTrials } from '../core/stats/choices.ts';
import { significance } from '../core/stats/false-discovery.ts';
import { power } from '../core/stats/signed-rank.ts';
import { counted } from '../core/text/counted.ts';
import { leastConfidence } from '../core/vocabulary/estimate.ts';
import type { ConditionComparison, MetricRow, RunComparison } from '../harness/analysis/compare/compare-runs.ts';
import type { Difference } from '../harness/analysis/compare/differences.ts';
import { dotChart } from './charts/dot-chart.ts';
import { formatChangeWithInterval, formatInterval, formatMedian, formatValue } from './format.ts';
import { type Html, html } from './html.ts';
import { titleOf, valueIn } from './named.ts';
import { contents, renderPage } from './page/page.ts';
import { valueCell } from './value-cell.ts';

/** Returns the title of a row. `run`: one of the compared runs. */
const rowTitle = ({ quantity, of }: MetricRow, { conditions }: RunComparison['b']) =>
  titleOf(
    [quantity],
    { metric: quantity.id, of },
    conditions.flatMap(({ parties }) => parties ?? []),
  );

/** True if a value changed significantly between the runs. */
export const isChanged = (row: MetricRow) =>
  row.correctedP !== null &&
  row.correctedP < significance &&
  row.shift.low !== null &&
  (row.shift.low > 0 || row.shift.high! < 0);

function pText(p: number | null): string {
  if (p === null) return '\u2013';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

function differenceTable(differences: readonly Difference[], a: string, b: string): Html {
  const rows = differences.map(
    ({ path, a: own, b: other }) => html`<tr><th scope="row">${path}</th><td>${own}</td><td>${other}</td></tr>`,
  );
  return html`<div class="scroll"><table><thead><tr><th></th><th>${a}</th><th>${b}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/**
 * Returns a warning if the two runs used different machines, because results may then differ for this reason. Otherwise
 * null.
 */
function elsewhereNote({ conditions, elsewhere }: RunComparison): Html | null {
  if (elsewhere.length === 0) return null;
  const of = elsewhere.length === conditions.length ? '' : ` of ${elsewhere.join(', ')}`;
  return html`<p class="note warning"><b>Machine and run are mixed up:</b> at least half of the trials${of} ran on
different machines in the two runs, so what differs below may come from the machines.</p>`;
}

function whatDiffers({ a, b, changes, conditions, alone }: RunComparison): Html {
  const changed = conditions.filter(condition => condition.changes.length > 0);
  const only = (
    [
      [a.name, alone.a],
      [b.name, alone.b],
    ] as const
  ).filter(([, titles]) => titles.length > 0);
  const nothing = changes.length === 0 && changed.length === 0 && only.length === 0;
  const tableOf = (differences: readonly Difference[]) => differenceTable(differences, a.name, b.name);
  return html`${nothing ? html`<p>Versions, machine and plan are the same.</p>` : null}
${changes.length === 0 ? null : tableOf(changes)}
${changed.map(({ title, changes: own }) => html`<h3>${title} differs between the two runs</h3>${tableOf(own)}`)}
${only.map(([name, titles]) => html`<p class="note">Only in ${name}, and not compared: ${titles.join(', ')}.</p>`)}`;
}

/** Describes the change of a metric: "Frame rate, decoded fell by 3.2 fps [1.1, 5.0]". */
function change(row: MetricRow, run: RunComparison['b']): string {
  const { quantity, shift } = row;
  const { unit, better } = quantity;
  const title = rowTitle(row, run);
  const rose = shift.value! > 0;
  const word = better === null ? '' : rose === (better === 'higher') ? ' (better)' : ' (worse)';
  const size = {
    value: Math.abs(shift.value!),
    low: Math.min(Math.abs(shift.low!), Math.abs(shift.high!)),
    high: Math.max(Math.abs(shift.low!), Math.abs(shift.high!)),
  };
  return `${title} ${rose ? 'rose' : 'fell'} by ${formatMedian(size, unit)} ${formatInterval(size, unit)}${word}`;
}

/**
 * Lists headline metrics without a shown change, with the differences that the trials do not exclude: those within the
 * interval. Empty if there are none.
 */
function notExcluded(rows: readonly MetricRow[], run: RunComparison['b']): string {
  const known = rows.filter(({ shift: { low } }) => low !== null);
  const listed = known.map(row => `${rowTitle(row, run)} ${formatChangeWithInterval(row.shift, row.quantity.unit)}`);
  if (listed.length === 0) return '';
  const least = Math.min(...known.map(({ shift }) => shift.confidence!));
  const what =
    least >= leastConfidence
      ? 'differences outside of these brackets are excluded (each at 95 %, not corrected for their number), those within are not'
      : 'so few trials exclude no difference at 95 %; brackets: range of the differences';
  return ` Not shown to differ: ${listed.join('; ')}: ${what}.`;
}

/**
 * Describes the changes of a condition, and of unchanged headline metrics which differences the trials exclude and the
 * smallest one that they could detect.
 */
export function changesInWords({ title, trials, rows }: ConditionComparison, { tested, b }: RunComparison): Html {
  const changes = rows.filter(row => isChanged(row) && row.isHeadline);
  const others = rows.filter(row => isChanged(row) && !row.isHeadline).length;
  // With enough trials, any quantity that varies between trials can become significant.
  const able = Math.max(tested.headline, tested.varied);
  const takes = fewestTrials(significance, able);
  const few =
    able === 0 || Math.min(trials.a, trials.b) >= takes
      ? ''
      : ` With ${trials.a} and ${trials.b} trials, a difference in only one quantity cannot be shown, however large: ` +
        `with ${counted(able, 'headline quantity', 'headline quantities')} of all conditions ` +
        `that ${able === 1 ? 'varies' : 'vary'} between trials, this needs ${takes} trials in each run.`;
  const told = changes.length === 0 ? `no change is shown.${few}` : `${changes.map(row => change(row, b)).join('; ')}.`;
  const unchanged = rows.filter(row => row.isHeadline && !isChanged(row));
  const missed = unchanged.filter(row => row.smallestShown !== null);
  const sizes = missed.map(row => `${rowTitle(row, b)} ${formatValue(row.smallestShown, row.quantity.unit)}`);
  const percent = Math.round(power * 100);
  const detectable =
    missed.length === 0
      ? ''
      : ` Detectable with ${percent} % power, by the spread of these trials: ${sizes.join(', ')}.`;
  const more =
    others === 0
      ? ''
      : ` Of the other quantities ${others} ${others === 1 ? 'differs' : 'differ'} significantly (bold below).`;
  return html`<p><b>${title}</b> (n = ${trials.a} and ${trials.b}): ${told}${notExcluded(unchanged, b)}${detectable}${more}</p>`;
}

function rowOf(row: MetricRow, run: RunComparison['b']): Html {
  const {
    quantity: { unit },
    a,
    b,
    shift,
    correctedP,
  } = row;
  const difference = formatMedian(shift, unit);
  const interval = formatInterval(shift, unit);
  const below = interval === '' ? null : html`<small>${interval}</small>`;
  return html`<tr><th scope="row">${rowTitle(row, run)}</th>${valueCell(a, unit)}${valueCell(b, unit)}
<td>${isChanged(row) ? html`<b>${difference}</b>` : difference}${below}</td>
<td>${pText(shift.p)}<small>corrected ${pText(correctedP)}</small></td><td>${shift.nA}, ${shift.nB}</td></tr>`;
}

function dots(condition: ConditionComparison, { a, b }: RunComparison): Html[] {
  return condition.rows
    .filter(({ quantity }) => b.drawn.includes(quantity.id))
    .map(row => {
      const { quantity, of, a: own, b: other } = row;
      const { subject } = b.results.conditions.find(({ id }) => id === condition.id)!;
      const group = (run: typeof a, colour: number, { value, low, high }: typeof own) => ({
        label: run.name,
        colour,
        median: value,
        low,
        high,
        values: run.results.trials
          .filter(trial => trial.condition === condition.id)
          .flatMap(trial => valueIn(trial, { metric: quantity.id, of }, { subject }) ?? []),
      });
      return html`<div>${dotChart({ title: rowTitle(row, b), unit: quantity.unit, groups: [group(a, 0, own), group(b, 1, other)] })}</div>`;
    });
}

function coverage({ rows }: ConditionComparison): string {
  const least = Math.min(...rows.flatMap(({ shift }) => shift.confidence ?? []));
  if (!Number.isFinite(least)) return 'There are too few trials for an interval.';
  const percent = least >= 0.95 ? '95 %' : `${Math.round(least * 100)} % (so few trials reach no 95 %)`;
  return `Confidence of the interval: ${percent}.`;
}

function numbers(condition: ConditionComparison, comparison: RunComparison): Html {
  const { a, b, tested } = comparison;
  return html`<figure><div class="panels">${dots(condition, comparison)}</div><div class="scroll"><table>
<thead><tr><th></th>
<th>${a.name}<br><small>median</small></th>
<th>${b.name}<br><small>median</small></th>
<th>Difference<br><small>second minus first</small></th>
<th>p</th>
<th>n</th></tr></thead>
<tbody>${condition.rows.map(row => rowOf(row, b))}</tbody></table></div>
<figcaption>Trials of two runs are independent. The difference is Hodges and Lehmann's: the median of all differences
between a trial of the first run and a trial of the second. ${coverage(condition)}
p: permutation test of the rank sum, two-sided; corrected by Benjamini and Hochberg for the comparisons that can reach
a small p: ${tested.headline} of the headline (${counted(b.headline.length, 'quantity', 'quantities')}, those in the sentences above), and
separately ${tested.others} of the others. Bold: corrected p below ${significance} (about one in twenty of these is expected by
chance), and an interval without 0.</figcaption></figure>`;
}

export async function renderComparison(comparison: RunComparison): Promise<string> {
  const { a, b, conditions } = comparison;
  const title = `${a.name} and ${b.name}: ${b.title}`;
  const parts = [
    {
      id: 'differences',
      title: 'Differences in versions, machine and plan',
      content: html`${elsewhereNote(comparison)}${whatDiffers(comparison)}`,
    },
    {
      id: 'verdict',
      title: 'What changed',
      content: html`<div class="verdict">${conditions.map(condition => changesInWords(condition, comparison))}</div>`,
    },
    ...conditions.map(condition => ({
      id: `condition-${condition.id}`,
      title: condition.title,
      content: numbers(condition, comparison),
    })),
  ];
  const factsOf = ({ name, createdMs, versions: { coexist, commit } }: typeof a) => {
    const day = new Date(createdMs).toISOString().slice(0, 10);
    return `${name}: ${day}, Coexist ${coexist}${commit === null ? '' : ` (${commit})`}`;
  };
  const sections = parts.map(
    ({ id, title: heading, content }) => html`<section id="${id}"><h2>${heading}</h2>${content}</section>`,
  );
  return renderPage(
    title,
    html`<header><h1>Two runs: ${b.title}</h1>
<p class="question">${b.question}</p>
<p class="facts">${factsOf(a)} \u00b7 ${factsOf(b)}</p>
${contents(parts)}</header>
<main id="report" tabindex="-1">${sections}</main>`,
  );
}
