/**
 * Section on the causes of interruptions of a voice: the share of each cause in each condition, and a table of the
 * interruptions with the evidence for their causes.
 */
import { object } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import { type InterruptionCause, interruptionCauses, interruptionMs } from '../../../core/vocabulary/interruption.ts';
import { causeChart, firstCells, leftOutNote, longestOf, titlesOf } from '../../causes.ts';
import { shownRecords } from '../../disturbed.ts';
import { formatValue } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { conditionsNote, overTrials, type ReportData, type ReportSection, trialCounts } from '../../report.ts';

type Row = {
  condition: string;
  trial: string;
  atS: number;
  lengthMs: number;
  cause: InterruptionCause;
  evidence: string;
};

/** Returns the interruptions of all shown trials, by condition, trial and time. */
async function rowsOf(report: ReportData): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { id: condition } of report.plan.conditions) {
    const ofTrials = await overTrials(shownRecords(report, condition), async record =>
      ((await record.interruptions()) ?? []).map(({ startMs, endMs, cause, evidence }) => ({
        condition,
        trial: record.file.trial.id,
        atS: (startMs - record.window.startMs) / 1000,
        lengthMs: endMs - startMs,
        cause,
        evidence,
      })),
    );
    rows.push(...ofTrials.flat());
  }
  return rows;
}

const rowHtml = (row: Row, title: string): Html => html`<tr>${firstCells(row, title)}
<td>${interruptionCauses[row.cause]}</td>
<td>${row.evidence}</td></tr>`;

export const plugin: ReportSection = {
  id: 'voice-causes',
  title: 'Causes of interruptions of the voice',
  source: 'own',
  params: object({}),
  order: 79,
  async render(report) {
    const rows = await rowsOf(report);
    if (rows.length === 0) return null;
    const timeMs = (condition: string, cause?: InterruptionCause) =>
      rows
        .filter(row => row.condition === condition && (cause === undefined || row.cause === cause))
        .reduce((sum, { lengthMs }) => sum + lengthMs, 0);
    const said = (condition: string) =>
      `${counted(rows.filter(row => row.condition === condition).length, 'interruption')}, ` +
      formatValue(timeMs(condition) / 1000, 's');
    const interrupted = report.summary.conditions.filter(({ id }) => timeMs(id) > 0);
    const titles = titlesOf(report);
    const listed = longestOf(rows);
    const chart = causeChart(
      'Share of interrupted time',
      interruptionCauses,
      interrupted.map(({ id }) => ({ label: titles.get(id)!, note: said(id), timeMs: cause => timeMs(id, cause) })),
    );
    return html`<figure>${chart}
<figcaption>Time in interruptions (gaps of at least ${interruptionMs} ms in what the listener heard) of all trials of a
condition, by cause: ${interrupted.map(({ id }) => `${titles.get(id)!} ${said(id)}`).join('; ')}. The cause of an
interruption is what became of most of the frames that would have been heard in it at the delay before it: they were
not sent, were lost, came too late, or were there and were not played. Interruptions of one trial are not independent,
so there is no interval. ${trialCounts(report)}. ${conditionsNote(report)}</figcaption>
<div class="scroll"><table>
<thead><tr><th>Trial</th><th>At</th><th>Length</th><th>Cause</th><th>Evidence</th></tr></thead>
<tbody>${listed.map(row => rowHtml(row, titles.get(row.condition)!))}</tbody></table></div>
${leftOutNote(listed.length, rows.length)}
</figure>`;
  },
};
