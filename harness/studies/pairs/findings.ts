/**
 * Compares the claims with a matrix. Each claim compares two measurements. A claim is judged only on links with one of
 * its rates, and only if the intervals of both measurements are disjoint. A bound that the claim states ("below 85 %")
 * must also hold for the whole interval of its measurement. Otherwise the numbers are shown without a verdict.
 */
import { CoexistError } from '../../../core/errors.ts';
import { type Estimate, type Judgement, noEstimate } from '../../../core/vocabulary/estimate.ts';
import { deepSuffix, isDeep, utilisation } from '../../../core/vocabulary/pair-names.ts';
import { allOf, judgeComparison } from '../../analysis/gate/claims.ts';
import { type Claim, claims, type Measurement } from './claims.ts';
import { type PairLink, pairLink } from './links.ts';
import type { Cell } from './plan.ts';
import type { Finding, Measured, PairsSummary } from './summary.ts';

const measurementsOf = ({ first, second }: Claim) => [first, second];

/** Returns the names of the contestants that the claims compare. */
export function contestantsOf(some: readonly Claim[]): string[] {
  return [
    ...new Set(some.flatMap(measurementsOf).flatMap(({ incumbent, contender }) => [incumbent, contender ?? incumbent])),
  ];
}

/** Claims to compare on each link. The claims determine the measurements. */
export type FindingsPlan = { link: string; claims: readonly Claim[] }[];

/**
 * Returns the claims to compare on each link. `links`: names of links without a doubled queue. If some claims are made
 * for the rate of a link, only these are compared on it; otherwise all claims are. Without `links`, each claim is
 * compared at its first rate.
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

/**
 * Returns the names of the links that the plan needs. They include links with a doubled queue if a claim needs them.
 */
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

/** True if a claim of the plan needs the measurements of this cell. */
export function isInFindings(plan: FindingsPlan, cell: Cell): boolean {
  return plan.some(({ link, claims: compared }) =>
    compared
      .flatMap(measurementsOf)
      .some(measurement => cell.link === nameOn(link, measurement) && isCellOf(cell, measurement)),
  );
}

/** Returns the findings for which a matrix has both measurements, one link after the other. */
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
  const expected = { than: '', ...(expects === 'different' ? { expects } : { expects, by: { ratio: 0 } }) };
  const direction = judgeComparison(expected, first.estimate, second.estimate);
  return allOf([direction, first.levelVerdict, second.levelVerdict]);
}

/** Judges the bound that the claim states for one measurement. Returns `right` if the claim states no bound. */
function levelOf({ level, estimate }: Measurement & { estimate: Estimate }): Judgement {
  if (level === undefined) return 'right';
  const [bound, limit] = 'below' in level ? (['below', level.below] as const) : (['above', level.above] as const);
  return judgeComparison({ bound, limit }, estimate, null);
}
