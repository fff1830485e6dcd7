/** The kinds of study: the subfolders of this folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadPlugin, loadPlugins } from '../../core/plugins.ts';
import { readJson } from '../record/json-file.ts';
import type { StudyKind } from './study.ts';

const folder = new URL('./', import.meta.url);

export const loadKinds = () => loadPlugins<StudyKind>(folder, 'kind of study');

/** Loads one kind only. Undefined if it does not exist. */
export const kindNamed = (id: string) => loadPlugin<StudyKind>(folder, id, 'kind of study');

function formatIn(path: string): unknown {
  const planPath = join(path, 'plan.json');
  if (!existsSync(planPath)) return undefined;
  try {
    return readJson<{ plan?: { format?: unknown } } | null>(planPath)?.plan?.format;
  } catch {
    return undefined; // the error is reported when the folder is opened
  }
}

/**
 * Returns kind and folder of the run at a path. An unknown format is passed to the experiment, which reports the error.
 */
export async function kindOfFolder(path: string): Promise<{ kind: StudyKind; folder: string }> {
  const kinds = await loadKinds();
  for (const kind of kinds.values()) {
    const inside = kind.runIn?.(path) ?? path;
    if (formatIn(inside) === kind.format) return { kind, folder: inside };
  }
  return { kind: kinds.get('experiment')!, folder: path };
}
