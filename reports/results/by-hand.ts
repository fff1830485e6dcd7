/**
 * The part of a results page that people write: what the page shows, in sentences. It stands below the line that says
 * which command writes the page, and a page that is written again keeps it.
 */

const begin = '<!-- written by hand; kept when the page is written again -->';
const end = '<!-- end of what is written by hand -->';
/** Line that names the command which writes the page. */
const written = /^<!-- written by .*-->$/m;

/** Returns the handwritten part of a page, without its marks. Empty if the page has none. */
export function byHandIn(page: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  return from < 0 || to < from ? '' : page.slice(from + begin.length, to).trim();
}

/** Returns a page with a handwritten part. `content`: the part; without any text the page stays as it is. */
export function withByHand(page: string, content: string): string {
  const place = written.exec(page);
  if (content === '' || place === null) return page;
  const at = place.index + place[0].length;
  return `${page.slice(0, at)}\n\n${begin}\n\n${content}\n\n${end}${page.slice(at)}`;
}
