/** Converts an SVG of Observable Plot to HTML, with a label for readers who do not see it. */
import { Html, html } from '../html.ts';
import { window } from '../markup.ts';

export const plotDocument = window.document as never;

/**
 * Adds the label with the project's own escaping. happy-dom leaves "<" in attributes as it is, which would end a
 * noscript element.
 */
export function image(svg: { outerHTML: string }, label: string): Html {
  return new Html(svg.outerHTML.replace(/^<svg /, () => html`<svg role="img" aria-label="${label}" `.text));
}
