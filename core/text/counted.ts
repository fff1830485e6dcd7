/** Returns a count with its noun: "1 trial", "7 trials" or "2 tries". */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}
