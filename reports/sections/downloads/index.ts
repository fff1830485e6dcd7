/**
 * Section with files that are embedded in the page: metrics of every trial, series of every trial in bins, and a
 * dictionary of the columns.
 */
import { object } from '../../../core/schema/schema.ts';
import type { DataFile } from '../../../harness/exchange/data-files.ts';
import { html } from '../../html.ts';
import type { ReportSection } from '../../report.ts';

/**
 * Returns the address of a link that contains the text of a file. Only non-ASCII characters and those that would end
 * the address or the attribute are escaped, because most of a table is digits.
 */
const textLink = (type: string, text: string) =>
  `data:${type};charset=utf-8,${text.toWellFormed().replace(/[%#\n\r\t"'<>&\\\u0080-\uffff]+/g, encodeURIComponent)}`;
const bytesLink = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const linkOf = ({ type, content }: DataFile) =>
  typeof content === 'string' ? textLink(type, content) : bytesLink(type, content);

const size = (link: string) => `${Math.max(1, Math.round(link.length / 1000))} kB`;

export const plugin: ReportSection = {
  id: 'downloads',
  title: 'Data',
  source: 'own',
  params: object({}),
  order: 95,
  async render({ files }) {
    if (files.length === 0) return null;
    return html`<ul class="files">${files.map(file => {
      const link = linkOf(file);
      return html`<li>${file.title}: <a download="${file.name}" href="${link}">${file.name}</a> (${size(link)})</li>`;
    })}</ul>
<p class="note">All raw series, with their dictionary: <code>npm run export -- RUN --format csv</code>
(or <code>parquet</code>, <code>webrtc-internals</code>, <code>rtcstats</code>).</p>`;
  },
};
