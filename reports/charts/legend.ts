/** The names of a chart's lines or parts, each beside its colour. The figures of a results page draw it again. */
import { type Html, html } from '../html.ts';
import { colourOf } from './palette.ts';

/** `colour`: place in the palette. */
type LegendEntry = { label: string; colour: number; opacity?: number };

export function legend(entries: readonly LegendEntry[]): Html {
  const names = entries.map(({ label, colour, opacity }) => {
    const style = `background: ${colourOf(colour)}${opacity === undefined ? '' : `; opacity: ${opacity}`}`;
    return html`<span><i class="swatch" style="${style}"></i>${label}</span>`;
  });
  return html`<p class="lines">${names}</p>`;
}
