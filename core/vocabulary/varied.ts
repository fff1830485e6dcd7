/** Names of a study's varied parameters in text for people. */

/** Returns a value of a definition or plan as text. An object becomes JSON. */
export const plainValue = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** "flood.congestionControl" -> "congestion control" */
export const parameterWords = (path: string) =>
  path
    .split('.')
    .at(-1)!
    .replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);

/** Returns "flows 5" or "congestion control cubic". An id stands without a name. */
export function variedWords(path: string, value: unknown): string {
  const words = parameterWords(path);
  return words === 'id' ? plainValue(value) : `${words} ${plainValue(value)}`;
}
