/** The kinds of study: the folders beside this file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadPlugin, loadPlugins } from '../../core/plugins.ts';
import { readJson } from '../record/json-file.ts';
import type { StudyKind } from './study.ts';

const folder = new URL('./', import.meta.url);

export const loadKinds = () => loadPlugins<StudyKind>(folder, 'kind of study');

/** Undefined where there is no such kind. Others are not loaded. */
export const kindNamed = (id: string) => loadPlugin<StudyKind>(folder, id, 'kind of study');

function formatIn(path: string): unknown {
  const planPath = join(path, 'plan.json');
  if (!existsSync(planPath)) return undefined;
  try {
    return readJson<{ plan?: { format?: unknown } } | null>(planPath)?.plan?.format;
  } catch {
    return undefined; // whoever opens it says what is wrong with it
  }
}

/**
 * Kind and folder of the run that a path holds. A folder of no known format counts as an experiment's, which says what
 * is wrong with it.
 */
export async function kindOfFolder(path: string): Promise<{ kind: StudyKind; folder: string }> {
  const kinds = await loadKinds();
  for (const kind of kinds.values()) {
    const inside = kind.runIn?.(path) ?? path;
    if (formatIn(inside) === kind.format) return { kind, folder: inside };
  }
  return { kind: kinds.get('experiment')!, folder: path };
}
