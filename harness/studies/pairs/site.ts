/** Writes the site of a repeated pairwise study. All pages are written when a cycle begins and again when it ends. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOwnFolder } from '../../../core/system/folders.ts';
import { writeWhole } from '../../../core/system/whole-file.ts';
import { siteUrl } from '../../../core/text/site-url.ts';
import type { PairsReports } from '../../../reports/pairs/index.ts';
import type { SiteCycle } from '../../../reports/pairs/site/cycle.ts';
import { readJson } from '../../record/json-file.ts';
import { loadReport } from '../load-report.ts';
import { changesBetween } from './changes.ts';
import { completeCycles, cyclesFolder, type OpenCycle } from './cycles.ts';

const settingsName = 'site.json';

/** Stores the address of the published site in the folder, for later cycles. */
export function keepSiteUrl(path: string, url: string): void {
  writeWhole(join(path, settingsName), `${JSON.stringify({ url })}\n`);
}

/** Returns the stored address. Null if no address is stored, or if the file cannot be read. */
function keptSiteUrl(path: string): string | null {
  const file = join(path, settingsName);
  if (!existsSync(file)) return null;
  try {
    const { url } = readJson<{ url?: unknown }>(file);
    return typeof url === 'string' ? siteUrl(url) : null;
  } catch {
    return null;
  }
}

/** Writes all pages. `underWay`: the cycle that is running. */
export async function writeSite(
  path: string,
  title: string,
  underWay: Pick<OpenCycle, 'name' | 'folder'> | null,
): Promise<void> {
  const done = completeCycles(path);
  const cycles = done.map(
    ({ name, cycle }, k): SiteCycle => ({
      name,
      createdMs: cycle.createdMs,
      summary: cycle.summary,
      folder: `${cyclesFolder}/${name}/`,
      changes: k === 0 ? null : changesBetween(done[k - 1]!.cycle, cycle),
    }),
  );
  const running = underWay === null ? null : { name: underWay.name, createdMs: underWay.folder.planFile().createdMs };
  const { renderSite } = await loadReport<PairsReports>('pairs');
  for (const file of await renderSite({ title, cycles, underWay: running, url: keptSiteUrl(path) })) {
    const folder = dirname(file.path);
    if (folder !== '.') makeOwnFolder(path, folder);
    writeWhole(join(path, file.path), file.text);
  }
}
