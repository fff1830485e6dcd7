/** The result of a run as a Markdown page, of whatever kind of study. */
import { isDeepStrictEqual } from 'node:util';
import { type Figure, figuresOfPage } from '../../reports/results/figures.ts';
import { quoted, resultsPage } from '../../reports/results/page.ts';
import { figuresOfSections, sectionsPage } from '../../reports/results/sections-page.ts';
import { studyNames } from '../experiment/load.ts';
import type { GamePlan } from '../games/plan.ts';
import { contestants } from '../pairs/contestants.ts';
import { runSchema, writtenRun } from '../pairs/define.ts';
import { type PairsPlan, pairsFormat } from '../pairs/plan.ts';
import { RunFolder } from '../record/run-folder.ts';
import { gameChanges } from './game-changes.ts';
import { isGameFolder } from './game-finish.ts';
import { openGame } from './game-report.ts';
import { pairsFolderAt } from './pairs-report.ts';

/** Sections that a page has. */
const ofGame = ['answers', 'beside', 'published', 'curves', 'diagram', 'costs', 'windows'];
const ofPairs = ['findings', 'matrix', 'quality', 'ranking', 'sweep', 'services'];

/** Of a shipped game, with what was set. */
async function gameCommand(plan: GamePlan): Promise<string | null> {
  const changes = await gameChanges(plan);
  if (changes === null) return null;
  return ['npm run game --', plan.study, ...changes.map(change => `--set ${quoted(change)}`)].join(' ');
}

/** Of services that have names, all pairs of them. */
function pairsCommand({ contestants: own, links, run, cells }: PairsPlan): string | null {
  const named = links.filter(({ id }) => cells.some(({ link, sides }) => link === id && sides.length === 2));
  const pairs = cells.filter(({ sides }) => sides.length === 2).length;
  const isWhole = pairs === (named.length * own.length * (own.length + 1)) / 2;
  if (!isWhole || !own.every(({ name }) => Object.hasOwn(contestants, name))) return null;
  const usual = writtenRun(runSchema.parse({})) as Record<string, unknown>;
  const changes = Object.entries(writtenRun(run))
    .filter(([key, value]) => !isDeepStrictEqual(value, usual[key]))
    .map(([key, value]) => `--set ${quoted(`run.${key}=${String(value)}`)}`);
  const services = own.map(({ name }) => name).join(',');
  return [
    'npm run pairs --',
    `--services ${services}`,
    `--link ${named.map(({ id }) => id).join(',')}`,
    ...changes,
  ].join(' ');
}

/** `html`: its report. Figures are those that the page shows. */
export async function pageOfRun(
  path: string,
  html: string,
  all: readonly Figure[],
  figureOf: (figure: Figure) => string,
): Promise<{ text: string; figures: readonly Figure[] }> {
  const ofSections = (sections: readonly string[], command: string | null) => {
    const figures = figuresOfSections(all, sections);
    return { figures, text: sectionsPage(html, sections, command, figures, figureOf) };
  };
  if (isGameFolder(path)) return ofSections(ofGame, await gameCommand(openGame(path).plan));
  const pairs = pairsFolderAt(path);
  if (pairs !== undefined)
    return ofSections(ofPairs, pairsCommand(RunFolder.open<PairsPlan>(pairs, pairsFormat).planFile().plan));
  const planFile = RunFolder.open(path).planFile();
  const isShipped = (await studyNames()).includes(planFile.plan.study);
  return { figures: figuresOfPage(all).shown, text: resultsPage(html, planFile, all, figureOf, isShipped) };
}
