/** The parts of a trial that need a processor, by the names that records use, and how long each waited for one. */
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

/** null of a part that was not there, or not on this machine, or where the kernel does not tell. */
export type ByPart = Record<TrialPart, number | null>;

const names = Object.keys(trialParts) as TrialPart[];

/** The same of each part. */
export const ofEachPart = (value: (part: TrialPart) => number | null): ByPart =>
  Object.fromEntries(names.map(part => [part, value(part)])) as ByPart;

/**
 * The part that waited longest, of those whose waiting harms a trial: not the harness, which takes one reading a second,
 * and not a flood, which keeps the queue full where it is held up now and then (docs/benchmarks.md, "Hold-ups").
 * Undefined where none has a value.
 */
export function longestWaiting(waits: ByPart): { part: TrialPart; ms: number } | undefined {
  let longest: { part: TrialPart; ms: number } | undefined;
  for (const part of names) {
    const ms = waits[part];
    if (part !== 'harness' && part !== 'flood' && ms !== null && ms > (longest?.ms ?? -1)) longest = { part, ms };
  }
  return longest;
}
