/** The one HTML file: style, uPlot and the drawing script are inlined, so that it opens from disk without a network. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { stripTypeScriptTypes } from 'node:module';
import { Html, html } from '../html.ts';

const require = createRequire(import.meta.url);

/** Script text as it may stand in a script element. */
const inline = (script: string) => new Html(script.replaceAll('</script', '<\\/script'));

export async function renderPage(title: string, body: Html): Promise<string> {
  const [style, plotStyle, plotScript, chartScript] = await Promise.all([
    readFile(new URL('style.css', import.meta.url), 'utf8'),
    readFile(require.resolve('uplot/dist/uPlot.min.css'), 'utf8'),
    readFile(require.resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'),
    readFile(new URL('charts.ts', import.meta.url), 'utf8'),
  ]);
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(plotStyle)}${new Html(style)}</style>
<body>
${body}
<script>${inline(plotScript)}</script>
<script>${inline(`{${stripTypeScriptTypes(chartScript).replace(/^export /gm, '')}}`)}</script>
</body>
</html>
`;
  return page.text;
}
