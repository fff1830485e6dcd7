/** Feed (RSS 2.0) of a repeated study: an item for each complete cycle, with the differences from the cycle before. */
import { counted } from '../../../core/text/counted.ts';
import { formatValue } from '../../format.ts';
import { escapeHtml } from '../../html.ts';
import { element, xml } from '../../xml.ts';
import { titleOf } from '../data.ts';
import { addresses, counting, type SiteCycle, thingsChanged } from './cycle.ts';
import { linkVerdict } from './verdict.ts';

/**
 * Maximum number of items in the feed, and of shares in an item. The feed must be small, because feed readers fetch it
 * repeatedly.
 */
const mostItems = 50;
const mostShares = 20;

function titleOfItem({ name, changes }: SiteCycle): string {
  if (changes === null) return `Cycle ${name}: the first`;
  const { length } = thingsChanged(changes);
  const things = length === 0 ? '' : `; ${counted(length, 'thing')} of machine, run or services changed`;
  return `Cycle ${name}: ${changes.shares.length} of ${changes.comparable} shares moved${things}`;
}

/** Returns the description of a cycle as HTML, the format that feed readers expect. */
function description(cycle: SiteCycle): string {
  const { summary, changes } = cycle;
  const list = (lines: readonly string[]) =>
    lines.length === 0 ? '' : `<ul>${lines.map(line => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
  const shares = (changes?.shares ?? []).map(({ link, incumbent, contender, before, after }) => {
    const pair = `${titleOf({ summary }, incumbent)} beside ${titleOf({ summary }, contender)}`;
    const [old, now] = [formatValue(before.value, 'ratio'), formatValue(after.value, 'ratio')];
    return `${pair} on ${link}: ${old} \u2192 ${now} of its fair share`;
  });
  const left = shares.length - mostShares;
  const things = changes === null ? [] : thingsChanged(changes);
  const nothing = things.length + shares.length === 0 ? 'nothing changed.' : '';
  return [
    list(summary.links.map(link => `${link.title}: ${linkVerdict(summary, link)}`)),
    ...(changes === null
      ? []
      : [
          `<p>Since the cycle before: ${nothing}</p>`,
          list([...things, ...shares.slice(0, mostShares), ...(left > 0 ? [`and ${left} more`] : [])]),
        ]),
    `<p>${counting(cycle)} trials count.</p>`,
  ].join('');
}

/**
 * Returns the feed as XML. `siteUrl`: address of the published site, with a slash at its end. If null, links are
 * relative to the feed.
 */
export function renderFeed(title: string, cycles: readonly SiteCycle[], siteUrl: string | null): string {
  const address = (path: string) => `${siteUrl ?? ''}${path}`;
  const items = cycles.toReversed().slice(0, mostItems);
  const note =
    siteUrl === null
      ? ' Links are relative to this file: --site-url URL makes them absolute where it is published.'
      : '';
  const selfHref = xml(address(addresses.feed));
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
${element('title', title)}
${element('link', address(addresses.landing))}
${element('description', `Every service beside every other one, cycle after cycle: what changed.${note}`)}
<language>en</language>
<generator>Coexist</generator>
${siteUrl === null ? '' : `<atom:link rel="self" type="application/rss+xml" href="${selfHref}"/>\n`}${
  items.length === 0 ? '' : `${element('lastBuildDate', new Date(items[0]!.createdMs).toUTCString())}\n`
}${items
  .map(
    cycle => `<item>
${element('title', titleOfItem(cycle))}
${element('link', address(addresses.report(cycle)))}
${element('guid', `coexist-cycle-${cycle.name}-${cycle.createdMs}`, ' isPermaLink="false"')}
${element('pubDate', new Date(cycle.createdMs).toUTCString())}
${element('description', description(cycle))}
</item>
`,
  )
  .join('')}</channel>
</rss>
`;
}
