/**
 * The numbers behind the report, inside it: metrics of every trial, their series in bins, and what the columns mean.
 */
import { object } from '../../../core/schema.ts';
import { binnedTable } from '../../../harness/interchange/binned-series.ts';
import { csvText } from '../../../harness/interchange/csv.ts';
import { dictionary, dictionaryText } from '../../../harness/interchange/dictionary.ts';
import { metricsTable } from '../../../harness/interchange/metrics-table.ts';
import { parquetBytes } from '../../../harness/interchange/parquet.ts';
import { html } from '../../html.ts';
import type { ReportSection } from '../../report.ts';

/**
 * A file in a link. What would end the address or the attribute is escaped, and nothing else: most of a table is
 * digits.
 */
const textLink = (type: string, text: string) =>
  `data:${type};charset=utf-8,${text.toWellFormed().replace(/[%#\n\r\t"'<>&\\\u0080-\uffff]+/g, encodeURIComponent)}`;
const bytesLink = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

const size = (link: string) => `${Math.max(1, Math.round(link.length / 1000))} kB`;

export const plugin: ReportSection = {
  id: 'downloads',
  title: 'Data',
  source: 'own',
  params: object({}),
  order: 95,
  async render({ plan, summary, details }) {
    if (details.length === 0) return null;
    const metrics = metricsTable(summary);
    const binned = binnedTable(
      details.map(({ name, file, binned: series }) => ({
        trial: name,
        condition: file.condition.id,
        repeat: file.trial.repeat,
        binned: series,
      })),
    );
    const tables = dictionary(summary.quantities).filter(({ id }) => id === 'metrics' || id === 'binned');
    const csv = (text: string) => textLink('text/csv', text);
    const parquet = (bytes: Uint8Array) => bytesLink('application/vnd.apache.parquet', bytes);
    const files: [string, string, string][] = [
      ['Metrics of every trial', `${plan.study}-metrics.csv`, csv(csvText(metrics))],
      ['the same', `${plan.study}-metrics.parquet`, parquet(parquetBytes(metrics))],
      ['Series of every trial in bins', `${plan.study}-binned.csv`, csv(csvText(binned))],
      ['the same', `${plan.study}-binned.parquet`, parquet(parquetBytes(binned))],
      ['What the columns mean', `${plan.study}-data-dictionary.md`, textLink('text/markdown', dictionaryText(tables))],
    ];
    return html`<ul class="files">${files.map(([title, name, link]) => html`<li>${title}: <a download="${name}" href="${link}">${name}</a> (${size(link)})</li>`)}</ul>
<p class="note">All raw series, with their dictionary: <code>npm run export -- RUN --format csv</code> (or <code>parquet</code>, or <code>webrtc-internals</code>).</p>`;
  },
};
