/** Words for the varied parameters of a study, in text for people. */

/** Returns a value of a definition or plan as text. An object is returned as JSON. */
export const plainValue = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Returns the last name of a path in words: "congestion control" for "flood.congestionControl". */
export const parameterWords = (path: string) =>
  path
    .split('.')
    .at(-1)!
    .replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);

/**
 * Returns a parameter and its value in words: "flows 5" or "congestion control cubic". For the parameter `id` it
 * returns the value alone.
 */
export function variedWords(path: string, value: unknown): string {
  const words = parameterWords(path);
  return words === 'id' ? plainValue(value) : `${words} ${plainValue(value)}`;
}
