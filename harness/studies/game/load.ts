/** Finds a game by name or file and loads its definition. */
import { type LoadedStudy, loadStudy, type Shelf, studyNames } from '../../definition/load.ts';
import type { GameDefinition } from './define.ts';

const games: Shelf = { shipped: new URL('shipped/', import.meta.url), command: 'game' };

export const gameNames = () => studyNames(games);

export const loadGame = (nameOrFile: string): Promise<LoadedStudy<GameDefinition>> =>
  loadStudy<GameDefinition>(nameOrFile, games);
