/**
 * Changes by `--set`, in the title of a report and in a note. The question was written for the unchanged study, so it may
 * not fit.
 */
import { type Html, html } from './html.ts';

/** Matches changes of how the trials are run, which a title leaves out. */
const changesNoTitle = /^run\./;

/** Matches changes that do not affect the question. The number of concurrent trials is such a change. */
const changesNoQuestion = /^run\.parallel=/;

/** Returns the title of a run: that of its study, with the changes by which the run differs from it. */
export function changedTitle(title: string, changes: readonly string[] = []): string {
  const told = changes.filter(change => !changesNoTitle.test(change));
  return told.length === 0 ? title : `${title}, with ${told.join(', ')}`;
}

/**
 * Returns a sentence that lists the changes. Null if none of them affects the question. `codeOf` formats the option and
 * each change as code.
 */
export function changedWords(changes: readonly string[] = [], codeOf = (text: string) => text): string | null {
  const told = changes.filter(change => !changesNoQuestion.test(change)).map(codeOf);
  return told.length === 0
    ? null
    : `This run changed the study with ${codeOf('--set')}: ${told.join(', ')}. ` +
        'The question is that of the unchanged study.';
}

export function changedNote(changes: readonly string[] | undefined): Html | null {
  const words = changedWords(changes);
  return words === null ? null : html`<p class="note">${words}</p>`;
}
