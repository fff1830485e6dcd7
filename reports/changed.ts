/** Changes by `--set` that title and question, written for the study as it is shipped, may not fit. */

/** How many trials run at once changes what a run takes, not what it asks. */
const changesNoQuestion = /^run\.parallel=/;

/** `changes`: as they were written, or undefined where there are none. */
export const questionChanges = (changes: readonly string[] = []): string[] =>
  changes.filter(change => !changesNoQuestion.test(change));
