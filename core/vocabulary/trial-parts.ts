/**
 * Parts of a trial that need a processor, and the time for which each part waited for one. The keys are the names of
 * the parts in records.
 */
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
 * Value for each part of a trial. Null if the part did not run or ran on another machine, or if the kernel does not
 * report the value.
 */
export type ByPart = Record<TrialPart, number | null>;

const names = Object.keys(trialParts) as TrialPart[];

export const ofEachPart = (value: (part: TrialPart) => number | null): ByPart =>
  Object.fromEntries(names.map(part => [part, value(part)])) as ByPart;

/**
 * Returns the part that waited longest, with its waiting time. The harness is left out, because it only takes one
 * reading a second. A flood is left out, because it keeps the queue full even if it is held up now and then
 * (docs/benchmarks.md, "Hold-ups"). Undefined if no other part has a value.
 */
export function longestWaiting(waits: ByPart): { part: TrialPart; ms: number } | undefined {
  let longest: { part: TrialPart; ms: number } | undefined;
  for (const part of names) {
    const ms = waits[part];
    if (part !== 'harness' && part !== 'flood' && ms !== null && ms > (longest?.ms ?? -1)) longest = { part, ms };
  }
  return longest;
}
