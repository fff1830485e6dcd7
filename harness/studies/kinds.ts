/** Loads the kinds of study. Each kind is a subfolder of this folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadPlugin, loadPlugins } from '../../core/plugins.ts';
import { runIn } from '../record/cycles.ts';
import { readJson } from '../record/json-file.ts';
import type { StudyKind } from './study.ts';

const folder = new URL('./', import.meta.url);

export const loadKinds = () => loadPlugins<StudyKind>(folder, 'kind of study');

/** Loads the kind of study with this id. Undefined if there is no such kind. */
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
 * Returns the kind of study of the run at a path, and the folder of the run. If the format of the run is unknown, the
 * kind is the experiment, which reports the error.
 */
export async function kindOfFolder(path: string): Promise<{ kind: StudyKind; folder: string }> {
  const kinds = await loadKinds();
  const folder = runIn(path) ?? path;
  const format = formatIn(folder);
  const kind = kinds.values().find(one => one.format === format) ?? kinds.get('experiment')!;
  return { kind, folder };
}
