/** How a study's varied parameters are named where people read them. */

/** A value of a definition or plan in words: text as it is. */
export const plainValue = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** "flood.congestionControl" -> "congestion control" */
export const parameterWords = (path: string) =>
  path
    .split('.')
    .at(-1)!
    .replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);

/** "flows 5", "congestion control cubic"; an id names itself. */
export function variedWords(path: string, value: unknown): string {
  const words = parameterWords(path);
  return words === 'id' ? plainValue(value) : `${words} ${plainValue(value)}`;
}
