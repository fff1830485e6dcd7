/** How a long run shares its time, and what it has tried. */

/** A round of a file: long beside its start, short beside the run. */
const roundMs = { least: 8000, most: 30_000 };
const mostTimes = 256;

/** How many times the inputs of `npm test` the next round of a file has, whose last one had `times` and took `ms`. */
export function nextTimes(times: number, ms: number): number {
  if (ms < roundMs.least) return Math.min(mostTimes, 2 * times);
  return ms > roundMs.most ? Math.max(1, Math.floor(times / 2)) : times;
}

/** `inputs`: of each file of tests, in all its rounds that passed. */
export function describeTally(
  inputs: ReadonlyMap<string, number>,
  { ms, hasFailed }: { ms: number; hasFailed: boolean },
): string {
  const all = [...inputs.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...inputs].map(([file, count]) => `${String(count).padStart(10)} ${file}`);
  const untried = [...inputs].flatMap(([file, count]) => (count === 0 ? [file] : []));
  const end =
    `${all} inputs to ${inputs.size - untried.length} of ${inputs.size} targets in ${Math.round(ms / 1000)} s, ` +
    `${hasFailed ? 'one failure' : 'no failure'}` +
    (untried.length === 0 ? '' : `; no input for ${untried.join(', ')}: is its program built?`);
  return [...lines, end].map(line => `${line}\n`).join('');
}
