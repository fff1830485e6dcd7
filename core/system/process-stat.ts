/** The line that the kernel writes of one process (proc(5), stat). */

/**
 * Its fields from the third on, which is the state: they stand behind the name of the program, which may hold spaces and
 * brackets.
 */
export function fieldsBehindName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
