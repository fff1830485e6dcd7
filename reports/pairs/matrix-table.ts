/**
 * Table of coloured numbers, with a row for each contender and a column for each incumbent. It is not an image, so that
 * it can be printed and read aloud, and each number can link to its trials.
 */
import { type Html, html } from '../html.ts';

export type MatrixCell = {
  text: string;
  small: string;
  /** Address that the number links to: an element of the page, or another page. */
  href: string;
  colour: string | null;
};

type MatrixTable = {
  caption: string;
  /** Titles of the incumbents. */
  columns: string[];
  rows: { title: string; cells: (MatrixCell | null)[] }[];
};

const mixed = (name: string, strength: number) =>
  `color-mix(in srgb, var(${name}) ${Math.round(Math.min(1, strength) * 60)}%, transparent)`;

/**
 * Returns the colour of a share: red if it is below 1 (the fair share), blue if it is above. The colour is full at half
 * and at twice the fair share.
 */
export function shareColour(share: number): string {
  return share <= 0 ? mixed('--bad', 1) : mixed(share < 1 ? '--bad' : '--c0', Math.abs(Math.log2(share)));
}

/** Returns the colour of an amount. Larger values get a stronger colour; it is full at the value `full`. */
export function amountColour(value: number, full: number): string {
  return mixed('--c2', full <= 0 ? 0 : value / full);
}

function cellHtml(cell: MatrixCell | null): Html {
  if (cell === null) return html`<td></td>`;
  const { text, small, href, colour } = cell;
  return html`<td style="background:${colour ?? 'none'}"><a href="${href}">${text}</a><small>${small}</small></td>`;
}

/** Width of the titles at the left, and least width of a column with legible numbers and intervals, em. */
const [titleEm, columnEm] = [9, 5.5];

export function matrixTable({ caption, columns, rows }: MatrixTable): Html {
  const widthEm = titleEm + columnEm * columns.length;
  const lines = rows.map(({ title, cells }) => html`<tr><th scope="row">${title}</th>${cells.map(cellHtml)}</tr>`);
  return html`<figure class="heat"><div class="scroll"><table style="--least-width:${widthEm}em">
<thead><tr><th class="corner">Contender \u2193 &nbsp; incumbent \u2192</th>
${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table></div>
<figcaption>${caption}</figcaption></figure>`;
}
