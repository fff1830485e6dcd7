/** Returns a count with its noun: "1 trial", "7 trials" or "2 tries". */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}

/** Returns how often something happened: "once" or "7 times". */
export const timesWords = (count: number): string => (count === 1 ? 'once' : `${count} times`);
