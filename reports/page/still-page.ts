/** Renders a page without scripts in the style of the reports. It is small, for sites of many pages. */
import { readFile } from 'node:fs/promises';
import { Html, html } from '../html.ts';
import { policy } from './policy.ts';

/** Renders a whole document without scripts. `head`: additional elements of the head. */
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

/** `body` must have an element with the id "report": the skip link at the top of the page leads there. */
export async function renderStillPage(title: string, body: Html, head: Html | null = null): Promise<string> {
  const style = await readFile(new URL('style.css', import.meta.url), 'utf8');
  const skip = html`<a class="skip" href="#report">Skip to the result</a>`;
  return stillDocument(title, style, html`${skip}\n${body}`, head);
}
