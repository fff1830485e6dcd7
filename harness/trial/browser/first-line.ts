/** Longest line that is kept; the error of a page may be of any length. */
const mostCharacters = 300;

/** First line of a text that is not empty: errors of Playwright or a page may have many lines. */
export function firstLine(text: string): string {
  const line = text.split('\n').find(one => one.trim() !== '') ?? '';
  return line.trim().slice(0, mostCharacters);
}
