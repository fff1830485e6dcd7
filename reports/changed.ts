/** Note on the changes by `--set`. Title and question were written for the unchanged study, so they may not fit. */
import { type Html, html } from './html.ts';

/** Matches changes that do not affect the question. The number of concurrent trials is such a change. */
const changesNoQuestion = /^run\.parallel=/;

/**
 * Returns a sentence that lists the changes. Null if none of them affects the question. `codeOf` formats the option and
 * each change as code.
 */
export function changedWords(changes: readonly string[] = [], codeOf = (text: string) => text): string | null {
  const told = changes.filter(change => !changesNoQuestion.test(change)).map(codeOf);
  return told.length === 0
    ? null
    : `This run changed the study with ${codeOf('--set')}: ${told.join(', ')}. ` +
        'Title and question are those of the unchanged study.';
}

export function changedNote(changes: readonly string[] | undefined): Html | null {
  const words = changedWords(changes);
  return words === null ? null : html`<p class="note">${words}</p>`;
}
