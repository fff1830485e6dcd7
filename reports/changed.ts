/** Changes by `--set` that title and question, written for the study as it is shipped, may not fit. */
import { type Html, html } from './html.ts';

/** How many trials run at once changes what a run takes, not what it asks. */
const changesNoQuestion = /^run\.parallel=/;

/** What was set, in words; null where that changes no question. `codeOf` marks the option and each change as code. */
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
