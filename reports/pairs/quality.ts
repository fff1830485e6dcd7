/** What the users saw beside each contender: calls, videos, pages (Philip et al., SIGCOMM 2024, figures 5 and 6). */
import type { ContestantSummary, LinkSummary } from '../../harness/pairs/summary.ts';
import { quantityOf } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { intervalSaid, linkSections, meetingOf, sideHtml, titleOf } from './data.ts';
import type { PairsReport } from './data.ts';
import { causesHtml, causesSaid } from './stall-causes.ts';

/** Kinds whose stalls are put down to causes. */
const explained = 'video-call';

/** What tells how a kind of service fares. */
const shown: Record<string, readonly string[]> = {
  'video-call': ['resolution', 'frame-rate', 'freezes', 'stalled', 'late', 'throughput'],
  video: ['rung', 'stalled', 'throughput'],
  page: ['page-load', 'failed-loads', 'throughput'],
  live: ['load-event', 'failed-loads', 'resolution', 'stalled', 'throughput'],
};

function table(report: PairsReport, link: LinkSummary, { name, title, kind }: ContestantSummary): Html | null {
  const quantities = shown[kind];
  if (quantities === undefined) return null;
  const alone = report.summary.cells.find(
    cell => cell.link === link.id && cell.sides.length === 1 && cell.sides[0]!.contestant === name,
  )?.sides[0];
  const rows = [
    ...(alone === undefined ? [] : [{ contender: 'alone', side: alone }]),
    ...report.summary.contestants.flatMap(({ name: contender }) => {
      const meeting = meetingOf(report, link.id, name, contender);
      return meeting === undefined
        ? []
        : [{ contender: `beside ${titleOf(report, contender)}`, side: meeting.incumbent }];
    }),
  ];
  if (rows.length === 0) return null;
  return html`<figure><div class="scroll"><table><thead><tr><th>${title}</th>${quantities.map(id => html`<th>${quantityOf(report.summary.quantities, id).title}</th>`)}${kind === explained ? html`<th>What stalled it</th>` : null}</tr></thead>
<tbody>${rows.map(({ contender, side }) => html`<tr><th scope="row">${contender}</th>${quantities.map(id => html`<td>${sideHtml(report, side, id)}</td>`)}${kind === explained ? html`<td>${causesHtml(report, side)}</td>` : null}</tr>`)}</tbody></table></div></figure>`;
}

/** Null where nobody streams, watches or reads. */
export function qualitySection(report: PairsReport): Html | null {
  if (!report.summary.contestants.some(({ kind }) => Object.hasOwn(shown, kind))) return null;
  return html`${linkSections(report, link => {
    const tables = report.summary.contestants.flatMap(contestant => table(report, link, contestant) ?? []);
    return tables.length === 0 ? null : html`${tables}`;
  })}
<p class="note">Medians over trials. ${intervalSaid(report)} A packet is late where base round-trip time and its wait at the bottleneck exceed 190 ms together; all UDP of the service counts, packets that were dropped do not. A freeze is W3C's.${report.summary.contestants.some(({ kind }) => kind === 'page' || kind === 'live') ? ' Page loads are those that began in the window; one that was not over when the trial ended counts as longer than it had lasted by then, one that failed as longer than any.' : ''}${report.summary.contestants.some(({ kind }) => kind === explained) ? causesSaid : ''}</p>`;
}
