/**
 * Checks the names of trials and applications. These names are names of folders, and a stranger's plan may contain any
 * text as a name. Names that begin with a dot are reserved for incomplete folders of the harness.
 */
import { CoexistError } from '../../core/errors.ts';
import { shownValue } from '../../core/text/shown-value.ts';

/** Name of the file with the data of a trial, in the folder of the trial. */
export const trialFileName = 'trial.json';

/** Form of a safe folder name: one path component, without a leading dot. */
const oneFolder = /^[^./\0][^/\0]*$/;
/** Maximum length of a name, bytes. File systems allow 255; the rest is for ".partial-" and ".voidN". */
const longestBytes = 220;

/**
 * True if the name is safe as the name of a folder: one path component, without a leading dot, and at most 220 bytes
 * long.
 */
export function isFolderName(name: string): boolean {
  return typeof name === 'string' && oneFolder.test(name) && Buffer.byteLength(name) <= longestBytes;
}

/** Returns the name if it is safe as the name of a folder (`isFolderName`). Throws `bad-run-folder` otherwise. */
export function checkedTrialName(name: string): string {
  if (isFolderName(name)) return name;
  throw new CoexistError('bad-run-folder', `${shownValue(name)} cannot be the name of a trial`, {
    hint: 'plan.json or a trial.json of this folder was changed or damaged: run the study anew',
  });
}
