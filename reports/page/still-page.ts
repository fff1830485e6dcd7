/** Renders a page without scripts in the style of the reports. Such a page is small, for sites with many pages. */
import { readFile } from 'node:fs/promises';
import { Html, html } from '../html.ts';
import { policy } from './policy.ts';

/** Returns a whole HTML document without scripts. `head`: further elements for its head. */
export function stillDocument(title: string, style: string, body: Html, head: Html | null = null): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
${policy()}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style>${new Html(style)}</style>
<body>
${body}
</body>
</html>
`.text;
}

/**
 * Returns the page. `body` must contain an element with the id "report", to which the skip link at the top of the page
 * leads.
 */
export async function renderStillPage(title: string, body: Html, head: Html | null = null): Promise<string> {
  const style = await readFile(new URL('style.css', import.meta.url), 'utf8');
  const skip = html`<a class="skip" href="#report">Skip to the result</a>`;
  return stillDocument(title, style, html`${skip}\n${body}`, head);
}
