/** Section with the frame latency of each condition, divided into parts from capture to presentation. */

import { object } from '../../../core/schema/schema.ts';
import { frameParts } from '../../../core/vocabulary/frame-parts.ts';
import { stackChart } from '../../charts/stack-chart.ts';
import { conditionCell, shownRecords, shownTitle, shownValue } from '../../disturbed.ts';
import { quantityOf } from '../../format.ts';
import { html } from '../../html.ts';
import { bracketsLine, conditionsNote, type ReportSection, trialCounts } from '../../report.ts';

const partIds = frameParts.map(part => `latency-${part}`);

export const plugin: ReportSection = {
  id: 'frame-latency-stack',
  title: 'Frame latency by part',
  source: 'own',
  params: object({}),
  order: 74,
  async render(report) {
    const { summary } = report;
    const conditions = summary.conditions.filter(own => shownValue(own, 'latency-frames') !== null);
    if (conditions.length === 0) return null;
    const name = (id: string) => quantityOf(summary.quantities, id).title.replace(/^Latency, /, '');
    const blind = conditions
      .filter(({ id }) => shownRecords(report, id).some(({ file }) => file.queueLog === null))
      .map(({ title }) => title);
    const unlogged =
      blind.length === 0 ? '' : ` Without a queue log (${blind.join(', ')}) the time in the queue counts as wire.`;
    const rows = conditions.map(own => {
      const cells = [...partIds, 'frame-latency-median'].map(id => conditionCell(own, id, summary));
      const frames = Math.round(shownValue(own, 'latency-frames')!);
      return html`<tr><th>${shownTitle(own)}</th>${cells}<td>${frames}</td></tr>`;
    });
    return html`<figure>${stackChart({
      title: 'Median of each part from capture to presentation',
      unit: 'ms',
      parts: partIds.map((id, colour) => ({ name: name(id), colour })),
      bars: conditions.map(own => ({
        label: shownTitle(own),
        values: partIds.map(id => shownValue(own, id) ?? 0),
      })),
    })}
<div class="scroll"><table>
<thead><tr><th></th>${partIds.map(id => html`<th>${name(id)}</th>`)}<th>total</th><th>frames</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>Median of each part over the presented frames of a trial, then over trials; frames: median number per
trial. ${trialCounts(report)}; ${bracketsLine(report)}. Medians of parts need not add up to the median of the total.
The browser's wait for its compositor counts as jitter buffer.${unlogged}
${conditionsNote(report)}</figcaption></figure>`;
  },
};
