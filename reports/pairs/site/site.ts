/** Renders the site of a repeated study: all pages except the reports and trial pages of the cycles. */
import type { Site, SiteFile } from '../../cycles/index.ts';
import { addresses, cellHistories, type SiteCycle } from './cycle.ts';
import { renderFeed } from './feed.ts';
import { renderLanding } from './landing.ts';
import { renderPairPage } from './pair-page.ts';
import { renderServicePage } from './service-page.ts';

type PairsSite = Omit<Site, 'cycles'> & {
  /** Complete cycles, oldest first. */
  cycles: readonly SiteCycle[];
};

/** Returns the pages of the site. The landing page comes last, so that the pages it links to are written first. */
export async function renderSite({ title, cycles, underWay, url }: PairsSite): Promise<SiteFile[]> {
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
