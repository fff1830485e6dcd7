/** What a page throws may be as long as a page likes. */
const mostCharacters = 300;

/** The first line that has words: what Playwright or a page says of an error may be a page of text. */
export function firstLine(text: string): string {
  const line = text.split('\n').find(one => one.trim() !== '') ?? '';
  return line.trim().slice(0, mostCharacters);
}
