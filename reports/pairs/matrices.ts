/**
 * Section with heat maps of share, utilisation, loss and queue delay of all pairs (Philip et al., SIGCOMM 2024, figures
 * 2 and 11 to 13).
 */
import { counted } from '../../core/text/counted.ts';
import type { Estimate } from '../../core/vocabulary/estimate.ts';
import type { CellSummary, LinkSummary } from '../../harness/studies/pairs/summary.ts';
import { formatNumber, formatValue, quantityOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import {
  intervalSaid,
  isWhole,
  linkSections,
  type Meeting,
  meetingOf,
  type PairsReport,
  sharesSaid,
  titleOf,
  trialsSaid,
} from './data.ts';
import { amountColour, type MatrixCell, matrixTable, shareColour } from './matrix-table.ts';

type Matrix = {
  caption: string;
  unit: string;
  /** True: unstable pairs, and incumbents whose throughput has two modes, are marked in the cells. */
  marked?: true;
  value(meeting: Meeting): Estimate;
  colour(value: number, all: readonly number[]): string;
};

const most = (values: readonly number[]) => Math.max(...values);

const share: Matrix = {
  caption:
    'Share: what the incumbent (column) got of its max-min fair share beside the contender (row); 100 % is fair, ' +
    `red is less. Of a service beside itself, the instance that got less. ${sharesSaid}`,
  unit: 'ratio',
  value: ({ incumbent }) => incumbent.values['share']!,
  colour: shareColour,
  marked: true,
};

function matrices({ summary: { cells, quantities } }: PairsReport): Matrix[] {
  const hasLog = cells.some(({ sides }) => sides.some(({ values }) => values['queue-delay']!.value !== null));
  const withoutLog = hasLog ? '' : ' (this machine kept no log of the queue)';
  return [
    share,
    {
      caption: 'Utilisation: what both together took of the link.',
      unit: 'ratio',
      value: ({ cell }) => cell.utilisation,
      colour: value => amountColour(1 - value, 0.2),
    },
    {
      caption: "Loss: the incumbent's packets that the bottleneck dropped.",
      unit: 'ratio',
      value: ({ incumbent }) => incumbent.values['loss']!,
      colour: (value, all) => amountColour(value, most(all)),
    },
    {
      caption: `Queue delay: mean time that the incumbent's packets waited at the bottleneck${withoutLog}.`,
      unit: quantityOf(quantities, 'queue-delay').unit,
      value: ({ incumbent }) => incumbent.values['queue-delay']!,
      colour: (value, all) => amountColour(value, most(all)),
    },
  ];
}

type Summarised = Pick<PairsReport, 'summary'>;

/** Returns a heat map as a table. `hrefOf`: returns the address that the number of a pair links to. */
function matrixHtml(
  report: Summarised,
  link: LinkSummary,
  { caption, unit, value, colour, marked }: Matrix,
  hrefOf: (cell: CellSummary) => string,
): Html {
  const names = report.summary.contestants.map(({ name }) => name);
  const meetings = names.map(contender => names.map(incumbent => meetingOf(report, link.id, incumbent, contender)));
  const all = meetings.flat().flatMap(meeting => (meeting === undefined ? [] : (value(meeting).value ?? [])));
  const cellOf = (meeting: Meeting | undefined): MatrixCell | null => {
    if (meeting === undefined) return null;
    const estimate = value(meeting);
    const { state } = meeting.cell;
    const isUnstable = state === 'futile' || (state === 'exhausted' && estimate.low !== null);
    const marks =
      marked !== true
        ? []
        : [...(isUnstable ? ['unstable'] : []), ...(meeting.incumbent.modes === null ? [] : ['two modes'])];
    const interval =
      estimate.low === null || estimate.high === null
        ? `n = ${estimate.n}`
        : `${formatNumber(estimate.low, unit)} to ${formatNumber(estimate.high, unit)}`;
    return {
      text: state === 'given-up' && estimate.value === null ? 'not measured' : formatValue(estimate.value, unit),
      small: [interval, ...marks].join(', '),
      href: hrefOf(meeting.cell),
      colour: estimate.value === null ? null : colour(estimate.value, all),
    };
  };
  return matrixTable({
    caption,
    columns: names.map(name => titleOf(report, name)),
    rows: names.map((contender, k) => ({ title: titleOf(report, contender), cells: meetings[k]!.map(cellOf) })),
  });
}

export function shareMatrix(report: Summarised, link: LinkSummary, hrefOf: (cell: CellSummary) => string): Html {
  return matrixHtml(report, link, share, hrefOf);
}

function losersSaid(report: PairsReport, { id, losers }: LinkSummary): Html | null {
  if (losers.median === null || !isWhole(report, id)) return null;
  const of = (count: number) => `${Math.round((count / losers.n) * 100)} %`;
  return html`<p>The loser of a pair got ${formatValue(losers.median, 'ratio')} of its fair share in the median;
${of(losers.belowNinety)} of the losers got 90 % or less, ${of(losers.belowFifty)} half or less
(n = ${counted(losers.n, 'pair')}).</p>`;
}

export function matricesSection(report: PairsReport): Html {
  return linkSections(report, link => {
    const maps = matrices(report).map(matrix => matrixHtml(report, link, matrix, ({ id }) => `#${id}`));
    return html`${losersSaid(report, link)}${maps}
<p class="note">${trialsSaid(report, link.id)}. ${intervalSaid(report)}
<span data-alone="">A number leads to its trials.</span> "Unstable": the interval did not become as narrow as
wanted (\u00b1${formatValue(link.halfWidthBps, 'bit/s')} of throughput).</p>`;
  });
}
