/** Shortens error texts to one line of at most this many characters: a page's error may be of any length. */
const mostCharacters = 300;

/** First line of a text that is not empty. */
export function firstLine(text: string): string {
  const line = text.split('\n').find(one => one.trim() !== '') ?? '';
  return line.trim().slice(0, mostCharacters);
}
