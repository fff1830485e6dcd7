/**
 * Runs all, in this order, up to a number beside each other, until the signal. Resolves to the results of those that have
 * run, in the order of their ends.
 */
export async function inPool<J, R>(
  jobs: readonly J[],
  concurrency: number,
  signal: AbortSignal,
  work: (job: J) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = [...jobs];
  const lane = async () => {
    for (let job = left.shift(); job !== undefined && !signal.aborted; job = left.shift())
      results.push(await work(job));
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return results;
}
