/** What a long run has tried, for a person. */

/** `inputs`: of each file of tests, in all its rounds that passed. */
export function describeTally(
  inputs: ReadonlyMap<string, number>,
  { ms, hasFailed }: { ms: number; hasFailed: boolean },
): string {
  const all = [...inputs.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...inputs].map(([file, count]) => `${String(count).padStart(10)} ${file}`);
  const end = `${all} inputs to ${inputs.size} targets in ${Math.round(ms / 1000)} s, ${hasFailed ? 'one failure' : 'no failure'}`;
  return [...lines, end].map(line => `${line}\n`).join('');
}
