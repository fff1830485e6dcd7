/**
 * Legend of a chart: names of the lines or parts, each with its colour. results/figures.ts reads legends from the HTML.
 */
import { type Html, html } from '../html.ts';
import { colourOf } from './palette.ts';

/** Entry of a legend. `colour`: index in the palette. */
type LegendEntry = { label: string; colour: number; opacity?: number };

export function legend(entries: readonly LegendEntry[]): Html {
  const names = entries.map(({ label, colour, opacity }) => {
    const style = `background: ${colourOf(colour)}${opacity === undefined ? '' : `; opacity: ${opacity}`}`;
    return html`<span><i class="swatch" style="${style}"></i>${label}</span>`;
  });
  return html`<p class="lines">${names}</p>`;
}
