/** The contestants: what each is, what it stands beside, and what it takes alone. */
import { formatValue } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { estimateHtml, trialHref } from './data.ts';
import type { PairsReport } from './data.ts';

/** A measured cap may be so far from what the service says of itself. */
const capTolerance = 0.05;

export function servicesSection({ summary, trialsHref }: PairsReport): Html {
  const alone = (name: string, link: string) =>
    summary.cells.find(cell => cell.link === link && cell.sides.length === 1 && cell.sides[0]!.contestant === name);
  const capSaid = (nominal: number | null, measured: { value: number | null } | null) => {
    if (nominal === null) return 'none';
    if (measured === null || measured.value === null) return `${formatValue(nominal, 'bit/s')} by its own account`;
    const off = measured.value / nominal - 1;
    return `${formatValue(nominal, 'bit/s')} by its own account, ${formatValue(measured.value, 'bit/s')} measured${Math.abs(off) > capTolerance ? ` (${Math.round(off * 100)} %: more than 5 % apart, its shares are doubtful on this machine)` : ''}`;
  };
  return html`<figure><div class="scroll"><table><thead><tr><th>Service</th><th>Stands beside</th><th>Cap</th>${summary.links.map(({ id }) => html`<th>Alone, ${id}</th>`)}</tr></thead>
<tbody>${summary.contestants.map(
    ({
      name,
      title,
      models,
      choice,
      nominalCapBps,
      measuredCapBps,
    }) => html`<tr><th scope="row">${title}<small>${name}: ${Object.entries(choice)
      .map(([key, value]) => `${key} ${String(value)}`)
      .join(', ')}</small></th>
<td>${models ?? '\u2013'}</td><td>${capSaid(nominalCapBps, measuredCapBps)}</td>
${summary.links.map(({ id }) => {
  const cell = alone(name, id);
  return html`<td>${cell === undefined ? '\u2013' : estimateHtml(cell.sides[0]!.values['throughput']!, 'bit/s')}${cell === undefined || cell.trials.length === 0 ? null : html`<small>${cell.trials.map((trial, k) => html`<a href="${trialHref({ trialsHref }, trial)}">${k + 1}</a> `)}</small>`}</td>`;
})}</tr>`,
  )}</tbody></table></div>
<figcaption>Caps are as the link counts, headers included. The services model flow count, congestion control, request pattern and cap of the paper's; none is the service that is named.${summary.contestants.some(({ kind }) => kind === 'live') ? " A live URL is what is named, and has the round-trip time that the Internet gives it (internetRtt in the record of each trial) in place of the link's." : ''}</figcaption></figure>`;
}
