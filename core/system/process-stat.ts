/** Parses the `stat` line of a process (proc(5)). */

/**
 * Returns the fields of the line from the third one (the state) on. The second field is the name of the program, which
 * may contain spaces and brackets.
 */
export function fieldsBehindName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
