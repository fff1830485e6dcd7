/** Changes by `--set` that title and question, written for the study as it is shipped, may not fit. */
import { html } from './html.ts';
import type { Html } from './html.ts';

/** How many trials run at once changes what a run takes, not what it asks. */
const changesNoQuestion = /^run\.parallel=/;

/** `changes`: as they were written, or undefined where there are none. */
export const questionChanges = (changes: readonly string[] = []): string[] =>
  changes.filter(change => !changesNoQuestion.test(change));

/** A note on what was set; null where that changes no question. */
export function changedNote(changes: readonly string[] | undefined): Html | null {
  const told = questionChanges(changes);
  if (told.length === 0) return null;
  const what = `This run changed the study with --set: ${told.join(', ')}.`;
  return html`<p class="note">${what} Title and question are those of the unchanged study.</p>`;
}
