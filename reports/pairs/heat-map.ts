/**
 * A matrix of coloured numbers, contender by incumbent, as a table: it prints, is read aloud, and each number leads to
 * its trials.
 */
import { html } from '../html.ts';
import type { Html } from '../html.ts';

export type HeatCell = {
  text: string;
  small: string;
  /** Where it leads: an element of the page, or another page. */
  href: string;
  colour: string | null;
};

type HeatMap = {
  caption: string;
  /** Incumbents. */
  columns: string[];
  rows: { title: string; cells: (HeatCell | null)[] }[];
};

const mixed = (name: string, strength: number) =>
  `color-mix(in srgb, var(${name}) ${Math.round(Math.min(1, strength) * 60)}%, transparent)`;

/** Red below a fair share, blue above; half and double are the full colour. */
export function shareColour(share: number): string {
  return share <= 0 ? mixed('--bad', 1) : mixed(share < 1 ? '--bad' : '--c0', Math.abs(Math.log2(share)));
}

/** The more the stronger, up to `full`. */
export function amountColour(value: number, full: number): string {
  return mixed('--c2', full <= 0 ? 0 : value / full);
}

function cellHtml(cell: HeatCell | null): Html {
  if (cell === null) return html`<td></td>`;
  return html`<td style="background:${cell.colour ?? 'none'}"><a href="${cell.href}">${cell.text}</a><small>${cell.small}</small></td>`;
}

/** Of the titles at the left, and of a column in which a number with its interval can be read. */
const [titleEm, columnEm] = [9, 5.5];

export function heatMap({ caption, columns, rows }: HeatMap): Html {
  return html`<figure class="heat"><div class="scroll"><table style="min-width:${titleEm + columnEm * columns.length}em">
<thead><tr><th class="corner">Contender \u2193 &nbsp; incumbent \u2192</th>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(({ title, cells }) => html`<tr><th scope="row">${title}</th>${cells.map(cellHtml)}</tr>`)}</tbody></table></div>
<figcaption>${caption}</figcaption></figure>`;
}
