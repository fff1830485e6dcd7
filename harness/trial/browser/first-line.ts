/** Maximum length of an error text for people, characters. The error of a page may have any length. */
const mostCharacters = 300;

/** Returns the first line of `text` that is not empty, shortened. */
export function firstLine(text: string): string {
  const line = text.split('\n').find(one => one.trim() !== '') ?? '';
  return line.trim().slice(0, mostCharacters);
}
