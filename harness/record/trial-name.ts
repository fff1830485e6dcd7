/**
 * Checks names of trials and applications. They name folders, and a stranger's plan may hold any name. A leading dot is
 * reserved for incomplete folders of the harness.
 */
import { CoexistError } from '../../core/errors.ts';
import { shownValue } from '../../core/text/shown-value.ts';

/** File in the folder of each trial. */
export const trialFileName = 'trial.json';

/** A single path component, without a leading dot. */
const oneFolder = /^[^./\0][^/\0]*$/;
/** File systems allow 255 bytes. The rest is for ".partial-" and ".voidN". */
const longestBytes = 220;

/** True if the name can only mean a file or folder directly in its parent folder. */
export function isFolderName(name: string): boolean {
  return typeof name === 'string' && oneFolder.test(name) && Buffer.byteLength(name) <= longestBytes;
}

/** Returns the name if it can only mean a folder directly in its parent. Throws `bad-run-folder` otherwise. */
export function checkedTrialName(name: string): string {
  if (isFolderName(name)) return name;
  throw new CoexistError('bad-run-folder', `${shownValue(name)} cannot be the name of a trial`, {
    hint: 'plan.json or a trial.json of this folder was changed or damaged: run the study anew',
  });
}
