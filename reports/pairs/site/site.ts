/** Renders the site of a repeated study: all pages except the reports and trial pages of the cycles. */
import { addresses, cellHistories, type SiteCycle } from './cycle.ts';
import { renderFeed } from './feed.ts';
import { renderLanding } from './landing.ts';
import { renderPairPage } from './pair-page.ts';
import { renderServicePage } from './service-page.ts';

/** A page of the site. `path`: relative to the site's folder. */
type SiteFile = { path: string; text: string };

type Site = {
  title: string;
  /** Complete cycles, oldest first. */
  cycles: readonly SiteCycle[];
  /** The running cycle. Null if no cycle is running. */
  underWay: { name: string; createdMs: number } | null;
  /** Address of the published site, with a slash at its end. Null if the address is unknown. */
  url: string | null;
};

/** Returns the pages of the site. The landing page comes last, so that the pages it links to are written first. */
export async function renderSite({ title, cycles, underWay, url }: Site): Promise<SiteFile[]> {
  const services = new Set(cycles.flatMap(({ summary }) => summary.contestants.map(({ name }) => name)));
  const files: SiteFile[] = [];
  for (const [id, history] of cellHistories(cycles))
    files.push({ path: addresses.pair(id), text: await renderPairPage(cycles, history) });
  for (const name of services)
    files.push({ path: addresses.service(name), text: await renderServicePage(cycles, name) });
  files.push({ path: addresses.feed, text: renderFeed(title, cycles, url) });
  files.push({ path: addresses.landing, text: await renderLanding(title, cycles, underWay) });
  return files;
}
