/** Documents, and parts of documents, that are generated from the code. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPlugins, type Plugin } from '../../core/plugins.ts';
import { projectRoot } from '../../core/system/paths.ts';
import type { MetricPlugin } from '../analysis/metrics/metric.ts';
import { loadStudy, studyNames } from '../definition/load.ts';
import { configurationText } from './configuration.ts';
import { libwebrtcCasesText } from './conformance-cases.ts';
import { generatorsText } from './generators.ts';
import { causesText, contestantsText, limitsText, studiesText } from './lists.ts';
import { machineSettingsText } from './machine-settings.ts';
import { metricsText } from './metrics.ts';
import { withRegion } from './region.ts';
import { flagshipText } from './results/flagship.ts';
import { loadPages, loadPaperClaims } from './results/load.ts';
import { resultsText } from './results/results-index.ts';

/** Text of a generated document. `path`: from the root of the repository. */
type GeneratedDocument = { path: string; text: string };

const load = async (folder: URL, kind: string) => (await loadPlugins<Plugin>(folder, kind)).values();

/** Returns a handwritten document in which the generated parts are up to date. */
async function withRegions(path: string, regions: Readonly<Record<string, string>>): Promise<GeneratedDocument> {
  const written = await readFile(join(projectRoot, path), 'utf8');
  return {
    path,
    text: Object.entries(regions).reduce((text, [name, content]) => withRegion(text, name, content), written),
  };
}

async function generatedDocuments(): Promise<GeneratedDocument[]> {
  const kinds = {
    services: await load(new URL('../services/', import.meta.url), 'service'),
    tunnels: await load(new URL('../tunnels/', import.meta.url), 'tunnel'),
    controllers: await load(new URL('../../server/congestion/', import.meta.url), 'controller'),
    aqms: await load(new URL('../../shaper/aqm/', import.meta.url), 'AQM'),
  };
  const metrics = [
    ...(await loadPlugins<MetricPlugin>(new URL('../analysis/metrics/', import.meta.url), 'metric')).values(),
  ];
  const studies = await Promise.all(
    (await studyNames()).map(async name => ({ name, definition: (await loadStudy(name)).definition })),
  );
  const pages = await loadPages();
  return [
    {
      path: 'docs/configuration.md',
      text: configurationText(kinds, folder => existsSync(join(projectRoot, folder, 'README.md'))),
    },
    { path: 'docs/machine-settings.md', text: machineSettingsText() },
    { path: 'docs/results/README.md', text: resultsText(await loadPaperClaims(), pages) },
    await withRegions('README.md', { flagship: flagshipText(pages) }),
    await withRegions('docs/studies.md', { studies: studiesText(studies) }),
    await withRegions('docs/conformance.md', { 'libwebrtc-cases': await libwebrtcCasesText() }),
    await withRegions('docs/links.md', { generators: generatorsText() }),
    await withRegions('docs/pairs.md', { contestants: contestantsText() }),
    await withRegions('docs/reading-results.md', {
      limits: limitsText(),
      metrics: metricsText(metrics),
      causes: causesText(),
    }),
  ];
}

/** Returns the documents whose files are out of date, with the text that they should have. */
export async function outdatedDocuments(): Promise<GeneratedDocument[]> {
  const documents = await generatedDocuments();
  const current = await Promise.all(
    documents.map(({ path }) => readFile(join(projectRoot, path), 'utf8').catch(() => '')),
  );
  return documents.filter(({ text }, k) => text !== current[k]);
}
