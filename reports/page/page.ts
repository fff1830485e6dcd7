/**
 * Renders a report as one HTML file. Style, uPlot and the page's own script are part of the file, so it opens from disk
 * without a network.
 */
import { readFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { Html, html } from '../html.ts';
import { policy } from './policy.ts';

const require = createRequire(import.meta.url);

/** Files of the page's script. Each file comes after the files that it uses. In the page they form one script. */
const scriptFiles = [
  '../../core/text/formula.ts',
  'script/colours.ts',
  'script/chart.ts',
  'script/trials.ts',
  'script/main.ts',
];

/** Escapes the text of a script for a script element. */
const inline = (script: string) => new Html(script.replaceAll('</script', '<\\/script'));

async function pageScript(): Promise<string> {
  const files = await Promise.all(scriptFiles.map(file => readFile(new URL(file, import.meta.url), 'utf8')));
  const parts = files.map(text =>
    stripTypeScriptTypes(text)
      .replace(/^import .*$/gm, '')
      .replace(/^export /gm, ''),
  );
  return `{${parts.join('\n')}}`;
}

export function contents(sections: readonly { id: string; title: string }[]): Html {
  const links = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<nav aria-label="Contents"><ul class="contents">${links}</ul></nav>`;
}

/**
 * Returns the page. `body` must contain an element with the id "report", to which the skip link at the top of the page
 * leads.
 */
export async function renderPage(title: string, body: Html): Promise<string> {
  const [style, plotStyle, plotScript, script] = await Promise.all([
    readFile(new URL('style.css', import.meta.url), 'utf8'),
    readFile(require.resolve('uplot/dist/uPlot.min.css'), 'utf8'),
    readFile(require.resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'),
    pageScript(),
  ]);
  const scripts = [inline(plotScript), inline(script)];
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
${policy(scripts)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(plotStyle)}${new Html(style)}</style>
<noscript><style>.chart { display: none; }</style></noscript>
<body>
<a class="skip" href="#report">Skip to the result</a>
<button type="button" id="theme" hidden></button>
${body}
${scripts.map(
  text => html`<script>${text}</script>
`,
)}
</body>
</html>
`;
  return page.text;
}
