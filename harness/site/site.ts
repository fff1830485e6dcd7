/**
 * Makes the static site of docs/results: the claims, the pages with their figures, a feed, and the numbers as data.
 *
 *   index.html          claims; each line has an address of its own (#PAPER-PLACE)
 *   NAME.html           a page; its headings have the ids that GitHub gives them
 *   data/               claims, pages and values as Parquet and CSV, with a dictionary (index.html)
 *   feed.atom           an entry for each page
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../core/system/paths.ts';
import { escapeHtml, Html, html } from '../../reports/html.ts';
import { renderStillPage } from '../../reports/page/still-page.ts';
import { byHandIn } from '../../reports/results/by-hand.ts';
import type { PaperClaim } from '../definition/paper-claim.ts';
import { loadPages, loadPaperClaims } from '../documents/results/load.ts';
import type { PublishedPage } from '../documents/results/page.ts';
import { resultsText } from '../documents/results/results-index.ts';
import { csvText } from '../exchange/csv.ts';
import { parquetBytes } from '../exchange/parquet.ts';
import { dataTables, dictionaryOf, idOfClaim } from './data.ts';
import { feedName, feedOf } from './feed.ts';
import { type Addressed, htmlOf } from './markdown.ts';

/** File of the site, by its path inside of the site. */
type SiteFile = { path: string; content: string | Uint8Array };

/** Addresses that the site needs: its own, and that of the repository's files; both with a slash at the end, or null. */
type SiteAddresses = { siteUrl: string | null; sourceUrl: string | null };

const folder = 'docs/results';
/** Documents beside the pages that explain them. */
const further: Record<string, string> = { 'docs/reading-results.md': 'reading-results.html' };

const styles = new Html(`<style>
body { max-width: 1240px; }
main img { max-width: 100%; }
main p > small { color: var(--soft); }
@media screen { td { min-width: 5em; } }
td:target { background: var(--panel); outline: 2px solid var(--c0); }
#report > nav { border: 0; padding: 0; margin: 0 0 16px; }
@media print { main img { break-inside: avoid; } }
</style>`);

/** Gives each line of a claim its id, with a link to itself in the first cell. The claims are in the order of the lines. */
function withClaimIds(page: string, claims: readonly PaperClaim[]): string {
  let rest = page;
  let done = '';
  for (const claim of claims) {
    const cell = `<td>${escapeHtml(claim.place)}</td>`;
    const at = rest.indexOf(cell);
    if (at < 0) throw new Error(`the index has no line for "${claim.place}" of ${claim.paper}`);
    const id = idOfClaim(claim);
    done += `${rest.slice(0, at)}<td id="${id}"><a href="#${id}">${escapeHtml(claim.place)}</a></td>`;
    rest = rest.slice(at + cell.length);
  }
  return done + rest;
}

/** First paragraph of a page as text: what it shows, or else its question. */
function summaryOf({ question, markdown }: PublishedPage): string {
  const [first = ''] = byHandIn(markdown).split('\n\n');
  return (first === '' ? question : first)
    .replace(/\s+/g, ' ')
    .replace(/\\([[\]*_|<>])/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** Returns all files of the site. */
export async function siteFiles({ siteUrl, sourceUrl }: SiteAddresses): Promise<SiteFile[]> {
  const [claims, pages] = [await loadPaperClaims(), await loadPages()];
  const addressOf =
    (root: string) =>
    ({ path, anchor }: Addressed) => {
      const [, name] = new RegExp(`^${folder}/([\\w-]+)\\.md$`).exec(path) ?? [];
      if (name === 'README') return `${root}index.html${anchor}`;
      if (name !== undefined && pages.has(name)) return `${root}${name}.html${anchor}`;
      const [, data] = new RegExp(`^${folder}/data/(.+)$`).exec(path) ?? [];
      if (data !== undefined) return `${root}data/${data}`;
      if (Object.hasOwn(further, path)) return `${root}${further[path]!}${anchor}`;
      return sourceUrl === null ? null : `${sourceUrl}${path}${anchor}`;
    };
  const rendered = async (path: string, title: string, body: string): Promise<SiteFile> => {
    const root = path.includes('/') ? '../' : '';
    const nav = html`<nav aria-label="Site"><ul class="contents"><li><a href="${root}index.html">Claims and pages</a></li>
<li><a href="${root}data/index.html">Data</a></li><li><a href="${root}${feedName}">Feed</a></li></ul></nav>`;
    const head = html`<link rel="alternate" type="application/atom+xml" title="Results" href="${root}${feedName}">${styles}`;
    const main = html`<main id="report" tabindex="-1">${nav}${new Html(body)}</main>`;
    return { path, content: await renderStillPage(title, main, head) };
  };
  const document = (path: string, to: string, title: string, markdown: string) =>
    rendered(to, title, htmlOf(markdown, path, addressOf(to.includes('/') ? '../' : '')));

  const index = htmlOf(resultsText(claims, pages), `${folder}/README.md`, addressOf(''));
  const tables = dataTables(claims, [...pages.values()]);
  const data = await document(`${folder}/data/README.md`, 'data/index.html', 'Data', dictionaryOf(tables));
  return [
    await rendered('index.html', 'Coexist: results', withClaimIds(index, claims)),
    ...(await Promise.all(
      [...pages.values()].map(({ name, title, markdown }) =>
        document(`${folder}/${name}.md`, `${name}.html`, title, markdown),
      ),
    )),
    ...(await Promise.all(
      Object.entries(further).map(([path, to]) =>
        document(path, to, 'Reading results', readFileSync(join(projectRoot, path), 'utf8')),
      ),
    )),
    data,
    ...tables.flatMap(({ id, table }) => [
      { path: `data/${id}.parquet`, content: parquetBytes(table) },
      { path: `data/${id}.csv`, content: csvText(table) },
    ]),
    { path: feedName, content: feedOf([...pages.values()], summaryOf, siteUrl) },
  ];
}
