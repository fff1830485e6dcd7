/**
 * The claims held against a matrix: each is a comparison of two measurements, and is judged only on a link of the rate
 * that it was made for, and only where the two intervals are disjoint. What it says of one of them by itself ("below 85
 * %") has to be true of the whole interval, too. Elsewhere the numbers stand there without a verdict.
 */
import { CoexistError } from '../../../core/errors.ts';
import { deepSuffix, isDeep, utilisation } from '../../../core/vocabulary/pair-names.ts';
import { type Claim, claims, type Measurement } from './claims.ts';
import { type PairLink, pairLink } from './links.ts';
import type { Cell } from './plan.ts';
import {
  type Estimate,
  type Finding,
  type Judgement,
  type Measured,
  noEstimate,
  type PairsSummary,
} from './summary.ts';

const measurementsOf = ({ first, second }: Claim) => [first, second];

/** Names of who takes part in them. */
export function contestantsOf(some: readonly Claim[]): string[] {
  return [
    ...new Set(some.flatMap(measurementsOf).flatMap(({ incumbent, contender }) => [incumbent, contender ?? incumbent])),
  ];
}

/** What is to be measured for the claims: of each link, the claims that are compared on it. */
export type FindingsPlan = { link: string; claims: readonly Claim[] }[];

/**
 * `links`: names of links without a doubled queue; on one that claims were made for these are compared, on another all.
 * None: each claim on the link that comes first for it.
 */
export function findingsPlan(links?: readonly string[]): FindingsPlan {
  if (links === undefined) {
    const rates = [...new Set(claims.map(({ ratesBps: [rateBps] }) => rateBps!))].sort((a, b) => a - b);
    return rates.map(rateBps => ({
      link: `${rateBps / 1e6}mbit`,
      claims: claims.filter(({ ratesBps }) => ratesBps[0] === rateBps),
    }));
  }
  return links.map(link => {
    if (isDeep(link))
      throw new CoexistError('usage', `--link ${link}: the findings double the queue by themselves`, {
        hint: `write --link ${link.slice(0, -deepSuffix.length)}`,
      });
    const { rateBps } = pairLink(link).link;
    const made = claims.filter(({ ratesBps }) => ratesBps.includes(rateBps));
    return { link, claims: made.length === 0 ? claims : made };
  });
}

const nameOn = (link: string, { deep }: Measurement) => (deep === true ? `${link}${deepSuffix}` : link);

/** Names of the links that it takes, those with a doubled queue where there are claims about one. */
export function linksOf(plan: FindingsPlan): string[] {
  return [
    ...new Set(
      plan.flatMap(({ link, claims: compared }) =>
        compared.flatMap(measurementsOf).map(measurement => nameOn(link, measurement)),
      ),
    ),
  ];
}

const isCellOf = ({ sides }: { sides: readonly string[] }, { incumbent, contender }: Measurement) => {
  const wanted = contender === null ? [incumbent] : [incumbent, contender];
  return sides.length === wanted.length && wanted.every(name => sides.includes(name));
};

/** Whether a cell is needed for it. */
export function isInFindings(plan: FindingsPlan, cell: Cell): boolean {
  return plan.some(({ link, claims: compared }) =>
    compared
      .flatMap(measurementsOf)
      .some(measurement => cell.link === nameOn(link, measurement) && isCellOf(cell, measurement)),
  );
}

/** The findings that a matrix has both measurements of, link by link. */
export function findingsOf(summary: Pick<PairsSummary, 'links' | 'cells'>): Finding[] {
  const links = summary.links.filter(({ id }) => !isDeep(id));
  return claims.flatMap(({ text, by, observation, ratesBps, expects, ...claim }) =>
    links.flatMap((link): Finding[] => {
      const [first, second] = [claim.first, claim.second].map(measurement => measured(summary, link, measurement)) as [
        Measured,
        Measured,
      ];
      if (first.estimate.value === null || second.estimate.value === null) return [];
      const verdict = ratesBps.includes(link.rateBps) ? verdictOf(first, second, expects) : 'elsewhere';
      return [{ text, by, observation, ratesBps, link: link.id, first, second, verdict }];
    }),
  );
}

function measured(
  summary: Pick<PairsSummary, 'cells'>,
  link: Pick<PairLink, 'id'>,
  measurement: Measurement,
): Measured {
  const estimate = estimateOf(summary, link, measurement);
  return { ...measurement, estimate, levelVerdict: levelOf({ ...measurement, estimate }) };
}

function estimateOf(
  { cells }: Pick<PairsSummary, 'cells'>,
  { id }: Pick<PairLink, 'id'>,
  measurement: Measurement,
): Estimate {
  const cell = cells.find(
    ({ link, sides }) =>
      link === nameOn(id, measurement) && isCellOf({ sides: sides.map(({ contestant }) => contestant) }, measurement),
  );
  if (measurement.quantity === utilisation.id) return cell?.utilisation ?? noEstimate;
  return (
    cell?.sides.find(({ contestant }) => contestant === measurement.incumbent)?.values[measurement.quantity] ??
    noEstimate
  );
}

function verdictOf(first: Measured, second: Measured, expects: Claim['expects']): Judgement {
  const judgements = [directionOf(first.estimate, second.estimate, expects), first.levelVerdict, second.levelVerdict];
  if (judgements.includes('wrong')) return 'wrong';
  return judgements.every(judgement => judgement === 'right') ? 'right' : 'undecided';
}

function directionOf(first: Estimate, second: Estimate, expects: Claim['expects']): Judgement {
  if (first.low === null || first.high === null || second.low === null || second.high === null) return 'undecided';
  const found = first.high < second.low ? 'lower' : first.low > second.high ? 'higher' : undefined;
  if (found === undefined) return 'undecided';
  return found === expects || expects === 'different' ? 'right' : 'wrong';
}

/** Whether what the claim says of a measurement by itself is so: `right` where it says nothing. */
function levelOf({ level, estimate: { low, high } }: Measurement & { estimate: Estimate }): Judgement {
  if (level === undefined) return 'right';
  if (low === null || high === null) return 'undecided';
  const keeps = (value: number, { below, above }: { below?: number; above?: number }) =>
    value < (below ?? Infinity) && value > (above ?? -Infinity);
  const [lowKeeps, highKeeps] = [keeps(low, level), keeps(high, level)];
  if (lowKeeps !== highKeeps) return 'undecided';
  return lowKeeps ? 'right' : 'wrong';
}
