/**
 * What may be the name of a trial, or of one of its applications: also that of a folder, and plans that others made
 * name trials too. Names with a dot in front are the harness's own, for folders that are not complete.
 */
import { CoexistError } from '../../core/errors.ts';
import { shownValue } from '../../core/text/shown-value.ts';

/** In the folder of each trial. */
export const trialFileName = 'trial.json';

/** One word of a path: neither "." nor "..", nothing that a path goes on behind. */
const oneFolder = /^[^./\0][^/\0]*$/;
/** Room is left for ".partial-" and ".voidN": file systems take 255 bytes. */
const longestBytes = 220;

/** Whether it stands for a file or folder in the place that it is joined to. */
export function isFolderName(name: string): boolean {
  return typeof name === 'string' && oneFolder.test(name) && Buffer.byteLength(name) <= longestBytes;
}

/** The name, where it stands for a folder in the place that it is joined to. Throws `bad-run-folder`. */
export function checkedTrialName(name: string): string {
  if (isFolderName(name)) return name;
  throw new CoexistError('bad-run-folder', `${shownValue(name)} cannot be the name of a trial`, {
    hint: 'plan.json or a trial.json of this folder was changed or damaged: run the study anew',
  });
}
