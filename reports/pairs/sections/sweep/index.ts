/** Section with charts of the shares over the bandwidth (Philip et al., SIGCOMM 2024, figure 7 and observation 12). */

import { object } from '../../../../core/schema/schema.ts';
import { formatRate } from '../../../../core/text/units.ts';
import { isDeep } from '../../../../core/vocabulary/pair-names.ts';
import type { LinkSummary } from '../../../../harness/studies/pairs/summary.ts';
import { seriesChart } from '../../../charts/series-chart.ts';
import { scaleToShown } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { intervalSaid, meetingOf, type PairsReport, titleOf } from '../../data.ts';

/** Returns a chart of the share of one service over the rate of the link, with a line for each contender. */
function chart(report: PairsReport, incumbent: string, links: readonly LinkSummary[]): Html {
  const shown = (value: number | null | undefined) =>
    value === null || value === undefined ? null : scaleToShown(value, 'ratio');
  return seriesChart({
    title: titleOf(report, incumbent),
    x: { label: 'Link (Mbit/s)', values: links.map(({ rateBps }) => scaleToShown(rateBps, 'bit/s')) },
    y: { label: 'Share (%)', min: 0 },
    lines: report.summary.contestants.map(({ name, title }, colour) => {
      const shares = links.map(({ id }) => meetingOf(report, id, incumbent, name)?.incumbent.values['share']);
      return {
        label: `beside ${title}`,
        colour,
        values: shares.map(share => shown(share?.value)),
        ...(shares.every(share => share?.low != null)
          ? { band: { low: shares.map(share => shown(share!.low)), high: shares.map(share => shown(share!.high)) } }
          : {}),
      };
    }),
  });
}

/** Returns the section. Null if the study has fewer than three bandwidths. */
function render(report: PairsReport): Html | null {
  const { sweeps } = report.summary;
  const links = report.summary.links.filter(({ id }) => !isDeep(id)).sort((a, b) => a.rateBps - b.rateBps);
  if (links.length < 3) return null;
  const step = ([from, to]: [number, number]) => `${formatRate(from)} to ${formatRate(to)}`;
  const count =
    `Shares that both rise and fall with the bandwidth, over ${links.length} links, ` +
    `by more than their intervals allow: ${sweeps.length}.`;
  const items = sweeps.map(({ incumbent, contender, fall, rise }) => {
    const pair = `${titleOf(report, incumbent)} beside ${titleOf(report, contender)}`;
    return html`<li>${pair}: its share falls from ${step(fall)} and rises from ${step(rise)}.</li>`;
  });
  const charts = report.summary.contestants.map(
    ({ name, title }) => html`<figure><figcaption>${title}</figcaption>${chart(report, name, links)}</figure>`,
  );
  return html`<p>${count}</p>
<ul>${items}</ul>
<div class="panels">${charts}</div>
<p class="note">Lines: medians over trials. ${intervalSaid(report)}</p>`;
}

export const plugin: ReportSection<PairsReport> = {
  id: 'sweep',
  title: 'Shares by link rate',
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  order: 60,
  render,
};
