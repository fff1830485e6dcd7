/** The documents, or parts of them, that are made from the code. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPlugins } from '../../core/plugins.ts';
import type { Plugin } from '../../core/plugins.ts';
import { projectRoot } from '../../core/paths.ts';
import { configurationText } from './configuration.ts';

/** `path`: from the root of the repository. */
export type GeneratedDocument = { path: string; text: string };

const load = async (folder: URL, kind: string) => (await loadPlugins<Plugin>(folder, kind)).values();

/** Every document as it should be. */
export async function generatedDocuments(): Promise<GeneratedDocument[]> {
  const kinds = {
    services: await load(new URL('../services/', import.meta.url), 'service'),
    controllers: await load(new URL('../../server/congestion/', import.meta.url), 'controller'), aqms: await load(new URL('../../shaper/aqm/', import.meta.url), 'AQM'),
  };
  return [{ path: 'docs/configuration.md', text: configurationText(kinds, folder => existsSync(join(projectRoot, folder, 'README.md'))) }];
}

/** Those that are not as they should be. */
export async function outdatedDocuments(): Promise<GeneratedDocument[]> {
  const documents = await generatedDocuments();
  const current = await Promise.all(documents.map(({ path }) => readFile(join(projectRoot, path), 'utf8').catch(() => '')));
  return documents.filter(({ text }, k) => text !== current[k]);
}
