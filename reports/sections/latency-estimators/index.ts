/** Section of a study that asks which of the browser's numbers for a delay may be trusted: a table of their errors. */
import { object } from '../../../core/schema/schema.ts';
import { conditionCell, shownTitle, shownValue } from '../../disturbed.ts';
import { html } from '../../html.ts';
import { bracketsLine, conditionsNote, isWithoutTrials, type ReportSection, trialCounts } from '../../report.ts';

/** Estimators, in the order of the table: those of the picture, of the voice, and of both. */
const estimators = [
  ['jitter-buffer', 'RTT/2 + jitterBufferDelay', 'frame latency'],
  ['processing', 'RTT/2 + totalProcessingDelay', 'frame latency'],
  ['capture-time', 'captureTime', 'frame latency'],
  ['playout', 'estimatedPlayoutTimestamp', 'frame latency'],
  ['voice-jitter-buffer', 'RTT/2 + jitterBufferDelay', 'mouth to ear'],
  ['voice-playout', 'estimatedPlayoutTimestamp', 'mouth to ear'],
  ['lip-sync-playout', 'estimatedPlayoutTimestamp of both', 'lip-sync'],
] as const;

export const plugin: ReportSection = {
  id: 'latency-estimators',
  title: 'Which number may be trusted',
  source: 'W3C webrtc-stats; WICG video-rvfc',
  params: object({}),
  order: 81,
  async render(report) {
    const { summary, plan } = report;
    const isAsked = plan.primary?.some(id => estimators.some(([estimator]) => id.startsWith(`${estimator}-error-`)));
    if (isAsked !== true) return null;
    const { conditions } = summary;
    const rows = estimators.flatMap(([id, name, truth]) => {
      const [median, p95] = [`${id}-error-median`, `${id}-error-p95`];
      if (conditions.every(condition => shownValue(condition, median) === null)) return [];
      const cells = (metric: string) => conditions.map(condition => conditionCell(condition, metric, summary));
      return [
        html`<tr><th rowspan="2">${name}<small>${truth}</small></th><td>error, median</td>${cells(median)}</tr>`,
        html`<tr><td>its size, 95th percentile</td>${cells(p95)}</tr>`,
      ];
    });
    if (rows.length === 0) return null;
    return html`<figure><div class="scroll"><table>
<thead><tr><th>Number</th><th></th>${conditions.map(own => html`<th>${shownTitle(own)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>What the browser says, minus what was measured for each frame and each chirp: an error above 0 means that the
number is too large. Within a trial, the median of the errors and the 95th percentile of their size; in the table, the
median over the trials${isWithoutTrials(report) ? '' : `, ${bracketsLine(report)}`}. ${trialCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
