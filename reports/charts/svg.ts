/** Converts an SVG by Observable Plot to HTML and adds a label for readers who do not see the image. */
import { Html, html } from '../html.ts';
import { window } from '../markup.ts';

export const plotDocument = window.document as never;

/**
 * Returns the SVG with the label. The label is escaped here, because happy-dom does not escape "<" in attributes. Such
 * a "<" could end a noscript element.
 */
export function image(svg: { outerHTML: string }, label: string): Html {
  return new Html(svg.outerHTML.replace(/^<svg /, () => html`<svg role="img" aria-label="${label}" `.text));
}
