/** How a study's varied parameters are named where people read them. */

/** What is shown of a value: text as it is. */
export const shownValue = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** "flood.congestionControl" -> "congestion control" */
export const parameterWords = (path: string) =>
  path
    .split('.')
    .at(-1)!
    .replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);

/** "flows 5", "congestion control cubic"; an id names itself. */
export function variedWords(path: string, value: unknown): string {
  const words = parameterWords(path);
  return words === 'id' ? shownValue(value) : `${words} ${shownValue(value)}`;
}
