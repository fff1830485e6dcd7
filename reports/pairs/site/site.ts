/** Every page of the site of a study that goes on for ever, but for the reports and trials of its cycles. */
import { addresses, cellHistories, type SiteCycle } from './cycle.ts';
import { renderFeed } from './feed.ts';
import { renderLanding } from './landing.ts';
import { renderPairPage } from './pair-page.ts';
import { renderServicePage } from './service-page.ts';

/** `path`: from the folder of the site. */
type SiteFile = { path: string; text: string };

type Site = {
  title: string;
  /** Those that are complete, the oldest first. */
  cycles: readonly SiteCycle[];
  /** The one that runs; null where none does. */
  underWay: { name: string; createdMs: number } | null;
  /** Where it is published, with a slash at its end; null where nobody said. */
  url: string | null;
};

/** The landing page last: what it leads to is there before it. */
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
