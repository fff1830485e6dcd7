/** Legend of a chart: the names of its lines or parts with their colours. results/figures.ts reads it from the HTML. */
import { type Html, html } from '../html.ts';
import { colourOf } from './palette.ts';

/** `colour`: index in the palette. */
type LegendEntry = { label: string; colour: number; opacity?: number };

export function legend(entries: readonly LegendEntry[]): Html {
  const names = entries.map(({ label, colour, opacity }) => {
    const style = `background: ${colourOf(colour)}${opacity === undefined ? '' : `; opacity: ${opacity}`}`;
    return html`<span><i class="swatch" style="${style}"></i>${label}</span>`;
  });
  return html`<p class="lines">${names}</p>`;
}
