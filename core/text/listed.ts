/** Joins words to a list in a sentence. */

/** Joins words to a list: "a, b and c". `last`: word before the last item. */
export const listed = (words: readonly string[], last = 'and') =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
