/** An SVG by Observable Plot as HTML, with the words for those who do not see it. */
import { Html, html } from '../html.ts';
import { window } from '../markup.ts';

/** What Plot draws into. */
export const plotDocument = window.document as never;

/**
 * Within an attribute the image's own writer leaves "<" as it is, which would end a noscript element: the label is
 * written by ours.
 */
export function image(svg: { outerHTML: string }, label: string): Html {
  return new Html(svg.outerHTML.replace(/^<svg /, () => html`<svg role="img" aria-label="${label}" `.text));
}
