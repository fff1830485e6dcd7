/** Parts of a trial that need a processor, by their names in records, and the time for which each waited for one. */
export const trialParts = {
  mediaServer: 'the media server',
  browser: 'the browser',
  flood: 'the flood',
  tunnel: 'the tunnel',
  link: 'the program that forms the link',
  harness: 'the harness',
  other: 'another program of the trial',
} as const;

export type TrialPart = keyof typeof trialParts;

/**
 * A value for each part. Null if the part did not run, ran on another machine, or the kernel does not report the value.
 */
export type ByPart = Record<TrialPart, number | null>;

const names = Object.keys(trialParts) as TrialPart[];

export const ofEachPart = (value: (part: TrialPart) => number | null): ByPart =>
  Object.fromEntries(names.map(part => [part, value(part)])) as ByPart;

/**
 * Returns the part whose waiting harms a trial and that waited longest. The harness is left out because it only takes
 * one reading a second. A flood is left out because it keeps the queue full even if it is held up now and then
 * (docs/benchmarks.md, "Hold-ups"). Undefined if no part has a value.
 */
export function longestWaiting(waits: ByPart): { part: TrialPart; ms: number } | undefined {
  let longest: { part: TrialPart; ms: number } | undefined;
  for (const part of names) {
    const ms = waits[part];
    if (part !== 'harness' && part !== 'flood' && ms !== null && ms > (longest?.ms ?? -1)) longest = { part, ms };
  }
  return longest;
}
