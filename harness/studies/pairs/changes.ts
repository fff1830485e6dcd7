/**
 * Differences between two cycles of a study: versions, settings, definitions of the services, and shares whose
 * intervals are disjoint. If nothing has changed, two disjoint 95 % intervals mean that at least one of them misses its
 * median. This happens to at most one pair of intervals in ten, and to about one in 170 if values are normal and both
 * cycles have the same number of trials.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import { differences, notThere } from '../../analysis/compare/differences.ts';
import type { Versions } from '../../record/versions.ts';
import type { PairsRun } from './define.ts';
import type { PairsSummary } from './summary.ts';

export type Cycle = { summary: PairsSummary; versions: Versions; run: PairsRun };

type ShareChange = { link: string; incumbent: string; contender: string; before: Estimate; after: Estimate };

export type Changes = {
  /** Changed versions of the machine: "kernel: 6.17.1 -> 6.18.0". */
  machine: string[];
  /** Changed settings of the run: "windowMs: 60000 -> 90000". */
  run: string[];
  /** Contestants that are new, gone, or defined differently. */
  services: string[];
  shares: ShareChange[];
  /** Number of shares that have an interval in both cycles and thus could have differed. */
  comparable: number;
};

export function changesBetween(before: Cycle, after: Cycle): Changes {
  const [old, now] = [sharesOf(before.summary), sharesOf(after.summary)];
  const both = [...now].flatMap(([key, share]) => {
    const earlier = old.get(key);
    return earlier === undefined || earlier.value.low === null || share.value.low === null ? [] : [{ earlier, share }];
  });
  return {
    machine: valueChanges(before.versions, after.versions),
    run: valueChanges(before.run, after.run),
    services: serviceChanges(before.summary, after.summary),
    shares: both
      .filter(({ earlier, share }) => earlier.value.low! > share.value.high! || earlier.value.high! < share.value.low!)
      .map(({ earlier, share: { value, ...names } }) => ({ ...names, before: earlier.value, after: value })),
    comparable: both.length,
  };
}

/** Returns the changes of values that both cycles know. A version that only one record has counts as unchanged. */
const valueChanges = <T extends Versions | PairsRun>(before: T, after: T): string[] =>
  differences(before, after)
    .filter(({ a, b }) => a !== notThere && b !== notThere)
    .map(({ path, a, b }) => `${path}: ${a} \u2192 ${b}`);

function serviceChanges(before: PairsSummary, after: PairsSummary): string[] {
  const named = (summary: PairsSummary) => new Map(summary.contestants.map(({ name, service }) => [name, service]));
  const [old, now] = [named(before), named(after)];
  return [
    ...[...now.keys()].filter(name => !old.has(name)).map(name => `${name} is new`),
    ...[...old.keys()].filter(name => !now.has(name)).map(name => `${name} is gone`),
    ...[...now]
      .filter(([name, service]) => old.has(name) && !isDeepStrictEqual(old.get(name), service))
      .map(([name]) => `${name} is defined differently`),
  ];
}

type NamedShare = { link: string; incumbent: string; contender: string; value: Estimate };

function sharesOf({ cells }: PairsSummary): Map<string, NamedShare> {
  return new Map(
    cells
      .filter(({ sides }) => sides.length === 2)
      .flatMap(({ id, link, sides }) =>
        sides.map((side, k): [string, NamedShare] => [
          `${id} ${k}`,
          { link, incumbent: side.contestant, contender: sides[1 - k]!.contestant, value: side.values['share']! },
        ]),
      ),
  );
}
