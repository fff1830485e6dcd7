/** Finds a pairwise study by name or file and loads its definition. */
import { withFilesBeside } from '../../../core/schema/files-beside.ts';
import { type LoadedStudy, loadStudy, type Shelf, studyNames } from '../../definition/load.ts';
import type { PairsDefinition } from './define.ts';

const shelf: Shelf = { shipped: new URL('shipped/', import.meta.url), command: 'pairs' };

export const pairsNames = () => studyNames(shelf);

/** Loads a definition. If it is JSON, it may name descriptions of services that are files in the same folder. */
export async function loadPairs(nameOrFile: string): Promise<LoadedStudy<PairsDefinition>> {
  const loaded = await loadStudy<PairsDefinition>(nameOrFile, shelf);
  const { definition, folder } = loaded;
  if (folder === null) return loaded;
  const isName = (word: string) => !word.endsWith('.json');
  return { ...loaded, definition: withFilesBeside(definition, folder, { services: isName }, nameOrFile) };
}
