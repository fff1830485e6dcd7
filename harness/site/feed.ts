/** Atom feed (RFC 4287) of the results: an entry for each page, the newest first. A page that is measured again is new. */
import { createHash } from 'node:crypto';
import { element, xml } from '../../reports/xml.ts';
import type { PublishedPage } from '../documents/results/page.ts';

/** Name of the feed's file. */
export const feedName = 'feed.atom';

/** Returns an id that is the same wherever the site is published: a UUID of version 5's form, from a text. */
function uuidOf(name: string): string {
  const hex = createHash('sha1').update(`coexist results ${name}`).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const timeOf = (day: string) => `${day}T00:00:00Z`;

/**
 * Returns the feed. `summaryOf`: first paragraph of a page. `siteUrl`: address of the published site with a slash at its
 * end; null: links are relative to the feed.
 */
export function feedOf(
  pages: readonly PublishedPage[],
  summaryOf: (page: PublishedPage) => string,
  siteUrl: string | null,
): string {
  const dated = pages
    .flatMap(page => (page.measured === null ? [] : [{ page, day: page.measured }]))
    .sort((a, b) => (a.day < b.day ? 1 : -1));
  const address = (path: string) => xml(`${siteUrl ?? ''}${path}`);
  const self = siteUrl === null ? '' : `<link rel="self" href="${address(feedName)}"/>\n`;
  const entries = dated.map(
    ({ page, day }) => `<entry>
${element('title', page.title)}
${element('id', uuidOf(`${page.name} ${day} ${page.commit ?? ''}`))}
<link href="${address(`${page.name}.html`)}"/>
${element('updated', timeOf(day))}
${element('summary', summaryOf(page))}
</entry>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Coexist: results</title>
${element('id', uuidOf('feed'))}
<link href="${address('index.html')}"/>
${self}${element('updated', timeOf(dated[0]?.day ?? '1970-01-01'))}
<author><name>Coexist</name></author>
${entries.join('')}</feed>
`;
}
