/**
 * Section on the quality that users of calls, videos and pages get beside each contender (Philip et al., SIGCOMM 2024,
 * figures 5 and 6).
 */
import { object } from '../../../../core/schema/schema.ts';
import { kindFacts } from '../../../../core/vocabulary/service-kinds.ts';
import type { ContestantSummary, LinkSummary } from '../../../../harness/studies/pairs/summary.ts';
import { quantityOf } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { intervalSaid, linkSections, meetingOf, type PairsReport, sideHtml, titleOf } from '../../data.ts';
import { causesHtml, causesSaid } from '../../stall-causes.ts';

function table(report: PairsReport, link: LinkSummary, { name, title, kind }: ContestantSummary): Html | null {
  const { quality: quantities, hasStallCauses = false } = kindFacts(kind);
  if (quantities.length === 0) return null;
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
  const lines = rows.map(({ contender, side }) => {
    const cells = quantities.map(id => html`<td>${sideHtml(report, side, id)}</td>`);
    const causes = hasStallCauses ? html`<td>${causesHtml(report, side)}</td>` : null;
    return html`<tr><th scope="row">${contender}</th>${cells}${causes}</tr>`;
  });
  return html`<figure><div class="scroll"><table><thead><tr><th>${title}</th>
${quantities.map(id => html`<th>${quantityOf(report.summary.quantities, id).title}</th>`)}
${hasStallCauses ? html`<th>Causes of stalls</th>` : null}</tr></thead>
<tbody>${lines}</tbody></table></div></figure>`;
}

const loadsSaid =
  ' Page loads are those that began in the window; a load that was still running when the trial ended counts as longer ' +
  'than the time it had taken by then, a failed load as longer than any other.';

/** Returns the section. Null if the study has no call, video or page. */
function render(report: PairsReport): Html | null {
  const facts = report.summary.contestants.map(({ kind }) => kindFacts(kind));
  if (!facts.some(({ quality }) => quality.length > 0)) return null;
  const loads = facts.some(({ loadsPages }) => loadsPages) ? loadsSaid : '';
  const causes = facts.some(({ hasStallCauses }) => hasStallCauses) ? causesSaid : '';
  return html`${linkSections(report, link => {
    const tables = report.summary.contestants.flatMap(contestant => table(report, link, contestant) ?? []);
    return tables.length === 0 ? null : html`${tables}`;
  })}
<p class="note">Medians over trials. ${intervalSaid(report)} A packet is late where base round-trip time and its wait at
the bottleneck exceed 190 ms together; all UDP of the service counts, packets that were dropped do not. A freeze is
W3C's.${loads}${causes}</p>`;
}

export const plugin: ReportSection<PairsReport> = {
  id: 'quality',
  title: 'What the users saw',
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  order: 30,
  render,
};
