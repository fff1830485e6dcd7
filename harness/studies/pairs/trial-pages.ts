/**
 * Writes a page into the folder of every trial of a pairwise study. The report links to these pages, since most web
 * servers do not list folders.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { writeWhole } from '../../../core/system/whole-file.ts';
import { shownValue } from '../../../core/text/shown-value.ts';
import { describeLink } from '../../../core/vocabulary/link.ts';
import type { PairsReports } from '../../../reports/pairs/index.ts';
import type { TrialPageFile } from '../../../reports/pairs/trial-page.ts';
import type { PairsFolder } from './folder.ts';
import { contestantOf, type PairsPlan } from './plan.ts';

/** Returns the files of a trial, except for `page`. */
function filesIn(directory: string, page: string): TrialPageFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== page)
    .map(entry => {
      const path = join(entry.parentPath, entry.name);
      return { path: relative(directory, path), bytes: statSync(path).size };
    });
}

export function writeTrialPages(
  folder: PairsFolder,
  plan: PairsPlan,
  { trialPageName, renderTrialPage }: Pick<PairsReports, 'trialPageName' | 'renderTrialPage'>,
): void {
  for (const name of folder.trialNames({ voided: true })) {
    const file = folder.trialFile(name);
    const directory = folder.trialFolder(name);
    const cell = plan.cells.find(({ id }) => id === file.trial.condition);
    if (cell === undefined)
      throw new CoexistError(
        'bad-run-folder',
        `${directory} has a trial of ${shownValue(file.trial.condition)}, which is no cell of the plan`,
        { hint: "remove the trial's folder, or put the plan.json of its study in place" },
      );
    const services = cell.sides.map(name => contestantOf(plan, name).title);
    writeWhole(
      join(directory, trialPageName),
      renderTrialPage({
        name,
        services,
        link: describeLink(file.condition.link),
        file,
        files: filesIn(directory, trialPageName),
        reportHref: '../../report.html',
      }),
    );
  }
}
