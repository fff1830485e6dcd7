/**
 * Section on the causes of stalls: the share of each cause in each condition, and a table of all stalls and freezes
 * with the evidence for their causes.
 */

import { object } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import { frameParts } from '../../../core/vocabulary/frame-parts.ts';
import { hostLimits } from '../../../core/vocabulary/host-limits.ts';
import { type Cause, causes } from '../../../core/vocabulary/stalls.ts';
import type { Gap } from '../../../harness/analysis/derive/presentation.ts';
import { causeChart, firstCells, leftOutNote, longestOf, titlesOf } from '../../causes.ts';
import { shownRecords, shownTitle } from '../../disturbed.ts';
import { formatNumber, formatValue, quantityOf } from '../../format.ts';
import { stallLimitWords } from '../../gap-words.ts';
import { type Html, html } from '../../html.ts';
import { conditionsNote, overTrials, type ReportData, type ReportSection, trialCounts } from '../../report.ts';
import { type LongestStall, longestFigure, longestStall } from './longest.ts';

type Row = {
  condition: string;
  trial: string;
  atS: number;
  lengthMs: number;
  bounds?: Gap['bounds'];
  insideMs: number;
  isStall: boolean;
  isFreeze: boolean;
  cause: Cause;
  evidence: string;
};

/** Rows for all stalls and freezes of a run, and the longest stall of each condition, by id of the condition. */
type Found = { rows: Row[]; longest: Map<string, LongestStall> };

async function foundOf(report: ReportData): Promise<Found> {
  const found: Found = { rows: [], longest: new Map() };
  for (const { id } of report.plan.conditions) {
    const ofTrials = await overTrials(shownRecords(report, id), async record => {
      const stallsAndFreezes = await record.stallsAndFreezes();
      const rows = stallsAndFreezes.map(
        ({ startMs, endMs, ...stallOrFreeze }): Row => ({
          condition: id,
          trial: record.file.trial.id,
          atS: (startMs - record.window.startMs) / 1000,
          insideMs: endMs - startMs,
          ...stallOrFreeze,
        }),
      );
      return { rows, longest: await longestStall(record, stallsAndFreezes) };
    });
    found.rows.push(...ofTrials.flatMap(({ rows }) => rows));
    const [longest] = ofTrials
      .flatMap(trial => trial.longest ?? [])
      .sort((a, b) => b.stall.lengthMs - a.stall.lengthMs);
    if (longest !== undefined) found.longest.set(id, longest);
  }
  return found;
}

function longestFigures(report: ReportData, longest: Found['longest']): Html | null {
  if (longest.size === 0) return null;
  const partNames = frameParts.map(part =>
    quantityOf(report.summary.quantities, `latency-${part}`).title.replace(/^Latency, /, ''),
  );
  const figures = report.summary.conditions.flatMap(own =>
    longest.has(own.id) ? [longestFigure(shownTitle(own), longest.get(own.id)!, partNames)] : [],
  );
  return html`<h3>The longest stall of each condition, frame by frame</h3>${figures}
<p class="note">Each row is one frame, with its number, from capture (left) to presentation (right). Shaded: the stall;
darker: the link stood still although packets waited. Faint: a frame that was not presented, up to its last known event. The export has the time lines of all frames
(frames.timeline).</p>`;
}

function rowHtml(row: Row, title: string): Html {
  const { bounds, isStall, isFreeze, cause, evidence } = row;
  const range =
    bounds === undefined
      ? null
      : html`<small>${formatNumber(bounds.leastMs, 'ms')} to ${formatNumber(bounds.mostMs, 'ms')}</small>`;
  const kinds = [...(isStall ? ['stall'] : []), ...(isFreeze ? ['freeze'] : [])];
  return html`<tr>${firstCells(row, title, range)}
<td>${kinds.join(', ')}</td>
<td>${causes[cause]}</td>
<td>${evidence}</td></tr>`;
}

export const plugin: ReportSection = {
  id: 'stall-causes',
  title: 'Causes of stalls',
  source: 'own',
  params: object({}),
  order: 71,
  async render(report) {
    const { rows, longest } = await foundOf(report);
    if (rows.length === 0) return null;
    const stalledMs = (condition: string, cause?: Cause) =>
      rows
        .filter(row => row.isStall && row.condition === condition && (cause === undefined || row.cause === cause))
        .reduce((sum, row) => sum + row.insideMs, 0);
    const stallsSaid = (condition: string) => {
      const { length } = rows.filter(row => row.isStall && row.condition === condition);
      return `${counted(length, 'stall')}, ${formatValue(stalledMs(condition) / 1000, 's')}`;
    };
    const stalled = report.plan.conditions.filter(({ id }) => stalledMs(id) > 0);
    const titles = titlesOf(report);
    const listed = longestOf(rows);
    const chart =
      stalled.length === 0
        ? null
        : causeChart(
            'Share of stalled time',
            causes,
            stalled.map(({ id }) => ({
              label: titles.get(id)!,
              note: stallsSaid(id),
              timeMs: cause => stalledMs(id, cause),
            })),
          );
    const sums = stalled.map(({ id }) => `${titles.get(id)!} ${stallsSaid(id)}`).join('; ');
    const sumsSaid =
      sums === ''
        ? ''
        : `Stalled time (more than ${stallLimitWords(report.plan)} without a new frame) of all trials of a condition, by cause: ${sums}. `;
    const [frameMs, pageMs] = [hostLimits.frameLatenessMs.invalid, hostLimits.pageDelayMs.invalid];
    return html`<figure>${chart}
<figcaption>${sumsSaid}The cause of a stall or freeze (W3C) is the part of the frame's latency that contributed most to it. Stalls of one
trial are not independent, so there is no interval. A range below a length means that the frames at its end were
presented without a callback, so that the exact time is unknown. Trials in which a frame was captured more than
${frameMs} ms late, or the page was held up for more than ${pageMs} ms, are void and not included, so host causes are rare here by
construction. ${trialCounts(report)}. ${conditionsNote(report)}</figcaption>
<div class="scroll"><table>
<thead><tr><th>Trial</th><th>At</th><th>Length</th><th>Kind</th><th>Cause</th><th>Evidence</th></tr></thead>
<tbody>${listed.map(row => rowHtml(row, titles.get(row.condition)!))}</tbody></table></div>
${leftOutNote(listed.length, rows.length)}
</figure>${longestFigures(report, longest)}`;
  },
};
