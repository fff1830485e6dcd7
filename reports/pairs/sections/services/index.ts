/** Section on the contestants: kind, modelled service, and throughput alone. */
import { object } from '../../../../core/schema/schema.ts';
import { formatValue } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { estimateHtml, type PairsReport, trialHref } from '../../data.ts';

/**
 * Largest relative difference between a measured cap and the cap that the service states at which both count as equal.
 */
const capTolerance = 0.05;

const liveSaid =
  ' The exception is a live URL: it is the real service, and has the round-trip time that the Internet gives it ' +
  "(internetRtt in the record of each trial) in place of the link's.";

function render({ summary, trialsHref }: PairsReport): Html {
  const alone = (name: string, link: string) =>
    summary.cells.find(cell => cell.link === link && cell.sides.length === 1 && cell.sides[0]!.contestant === name);
  const capSaid = (nominal: number | null, measured: { value: number | null } | null) => {
    if (nominal === null) return 'none';
    if (measured === null || measured.value === null) return `${formatValue(nominal, 'bit/s')} nominal`;
    const off = measured.value / nominal - 1;
    const percent = Math.round(off * 100);
    const doubt =
      Math.abs(off) > capTolerance
        ? ` (${percent} %: differs by more than 5 %, so its shares on this machine are doubtful)`
        : '';
    const [stated, found] = [formatValue(nominal, 'bit/s'), formatValue(measured.value, 'bit/s')];
    return `${stated} nominal, ${found} measured${doubt}`;
  };
  const aloneCell = (name: string, link: string) => {
    const cell = alone(name, link);
    if (cell === undefined) return html`<td>\u2013</td>`;
    const links = cell.trials.map((trial, k) => html`<a href="${trialHref({ trialsHref }, trial)}">${k + 1}</a> `);
    const estimate = estimateHtml(cell.sides[0]!.values['throughput']!, 'bit/s');
    const numbers = links.length === 0 ? null : html`<span data-alone=""><small>${links}</small></span>`;
    return html`<td>${estimate}${numbers}</td>`;
  };
  const rows = summary.contestants.map(({ name, title, models, choice, nominalCapBps, measuredCapBps }) => {
    const chosen = Object.entries(choice).map(([key, value]) => `${key} ${String(value)}`);
    return html`<tr><th scope="row">${title}<small>${name}: ${chosen.join(', ')}</small></th>
<td>${models ?? '\u2013'}</td>
<td>${capSaid(nominalCapBps, measuredCapBps)}</td>
${summary.links.map(({ id }) => aloneCell(name, id))}</tr>`;
  });
  const isLive = summary.contestants.some(({ kind }) => kind === 'live');
  return html`<figure><div class="scroll"><table><thead><tr><th>Service</th>
<th>Models</th>
<th>Cap</th>
${summary.links.map(({ id }) => html`<th>Alone, ${id}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
<figcaption>Caps are rates on the link, headers included. The services model flow count, congestion control, request
pattern and cap of the paper's; none is the real service.${isLive ? liveSaid : ''}</figcaption></figure>`;
}

export const plugin: ReportSection<PairsReport> = {
  id: 'services',
  title: 'Services',
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  order: 70,
  render,
};
