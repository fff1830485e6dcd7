/** Runs jobs beside each other, up to a number at a time; a job that fails does not end the others. */

/** Runs all, in this order, until the signal; resolves to the results of those that have run. */
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
