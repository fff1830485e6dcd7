/** Renders a page of docs/results as HTML: headings with the ids that GitHub gives them, figures inside the page. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { projectRoot } from '../../core/system/paths.ts';

/** Address of a page of the repository, from the root. `anchor`: with its "#", or empty. */
export type Addressed = { path: string; anchor: string };

/** Returns the id of a heading, as GitHub makes it. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * Returns the HTML of a page. `path`: of its Markdown, from the root of the repository. `addressOf`: returns where a link
 * into the repository leads on the site; null if the site does not have it, and then its text stays without the link.
 */
export function htmlOf(markdown: string, path: string, addressOf: (target: Addressed) => string | null): string {
  const folder = dirname(path);
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const words = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${attribute(href)}">${words}</a>`;
        const [file = '', anchor] = href.split('#');
        const to = addressOf({
          path: file === '' ? path : normalize(join(folder, file)),
          anchor: anchor === undefined ? '' : `#${anchor}`,
        });
        return to === null ? words : `<a href="${attribute(to)}">${words}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        const svg = readFileSync(join(projectRoot, folder, href));
        const image = `<img alt="${attribute(text)}" src="data:image/svg+xml;base64,${svg.toString('base64')}">`;
        // the description is long where it tells the values: what comes before them is the title
        return `<small>${attribute(text.split(': ')[0]!)}</small><br>${image}`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag): string => (text.startsWith('<!--') ? '' : text),
    },
  });
  return (marked.parse(markdown, { async: false }) as string)
    .replaceAll('<table>', '<div class="scroll"><table>')
    .replaceAll('</table>', '</table></div>');
}
