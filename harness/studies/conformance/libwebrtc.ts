/**
 * Common parts of the cases with links of libwebrtc's tests. A test there reads the sender's bandwidth estimate
 * (`availableOutgoingBitrate`) once a second and expects it within a range; a case expects the same.
 */
import type { RateText } from '../../../core/text/units.ts';
import type { LinkDefinition } from '../../definition/link.ts';
import type { CaseDefinition } from './case.ts';

type LeftOut = Extract<CaseDefinition, { notRun: string }>;
type Run = Exclude<CaseDefinition, LeftOut>;

/** Least and highest estimate, kbit/s. */
type RangeKbit = readonly [least: number, most: number];

type Ranged = Pick<Run, 'title' | 'link'> &
  Partial<Pick<Run, 'differs' | 'media' | 'beside' | 'frames' | 'marks' | 'withoutEcn' | 'expects'>> & {
    /** Names of the tests in the source. */
    tests: string;
    windowS: number;
    /** Highest rate of the video. Without it that of a camera with 720 lines in libwebrtc. */
    most?: RateText;
    /** Range of the estimate in each second from `from` to `to`, s; without these, of the whole window. */
    each?: { kbit: RangeKbit; from?: number; to?: number };
    /** Range of the last estimate. */
    end?: RangeKbit;
  };

/** Limit of a queue where libwebrtc's has none: longer than any sender fills for long. */
export const unlimited = '2s';

/** Returns a link with the same rate, delay and queue in both directions. */
export const bothWays = (
  rate: RateText,
  oneWayMs: number,
  queue: NonNullable<LinkDefinition['queue']> = { limit: unlimited },
): LinkDefinition => ({
  rate,
  queue,
  delay: { down: `${oneWayMs}ms`, up: `${oneWayMs}ms` },
  up: { rate, queue: 'same' },
});

const kbit = (value: number) => `${value}kbit` as const;
const seconds = (value: number) => `${value}s` as const;

function estimates({ windowS, each, end }: Pick<Ranged, 'windowS' | 'each' | 'end'>): Run['expects'] {
  const { kbit: range, from = 0, to = windowS } = each ?? {};
  const span = { from: seconds(from), to: seconds(to) };
  const last = { from: seconds(windowS - 1), to: seconds(windowS) };
  return {
    ...(range === undefined ? {} : { 'lowest-estimate': { ...span, atLeast: kbit(range[0]) } }),
    ...(range === undefined ? {} : { 'highest-estimate': { ...span, atMost: kbit(range[1]) } }),
    ...(end === undefined ? {} : { 'estimate-at-end': { ...last, atLeast: kbit(end[0]), atMost: kbit(end[1]) } }),
  };
}

/** Returns functions that make the cases of a file of tests. */
export function testsOf(file: string) {
  const sourceOf = (tests: string) => `libwebrtc f3ae3eb (2026-08-21), ${file}: ${tests}`;
  return {
    ranged: ({ tests, link, windowS, each, end, most = '2500kbit', expects, ...rest }: Ranged): Run => ({
      media: { 'media-1': {} },
      ...rest,
      link: { bytes: 'ip', ...link },
      source: sourceOf(tests),
      window: seconds(windowS),
      bitrate: { min: '30kbit', start: '300kbit', max: most },
      expects: {
        ...estimates({ windowS, ...(each === undefined ? {} : { each }), ...(end === undefined ? {} : { end }) }),
        ...expects,
      },
    }),
    leftOut: (title: string, tests: string, notRun: string): LeftOut => ({ title, source: sourceOf(tests), notRun }),
  };
}
