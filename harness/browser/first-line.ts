/** The first line that has words: what Playwright says of an error may be a page of text. */
export function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find(line => line.trim() !== '')
      ?.trim() ?? text
  );
}
