/**
 * The paper's qualitative findings that stacks, not companies, cause, held against a matrix: each is a comparison of two measurements, and is
 * reproduced or refuted only where their intervals are disjoint (Philip et al., SIGCOMM 2024, sections 4 to 6).
 */
import { deepSuffix } from './links.ts';
import type { Cell } from './plan.ts';
import { noEstimate } from './summary.ts';
import type { Estimate, PairsSummary } from './summary.ts';

/** What an incumbent had of a quantity beside a contender, or alone. */
export type Measurement = { incumbent: string; contender: string | null; quantity: string; /** Doubled queue. */ deep?: true };

type Claim = {
  /** What the paper found. */
  paper: string;
  observation: number;
  first: Measurement;
  second: Measurement;
  /** How the first is to the second where the paper is right. */
  expects: 'lower' | 'higher' | 'different';
};

export type Finding = {
  paper: string;
  observation: number;
  link: string;
  first: Measurement & { estimate: Estimate };
  second: Measurement & { estimate: Estimate };
  verdict: 'reproduced' | 'refuted' | 'undecided';
};

const share = (incumbent: string, contender: string) => ({ incumbent, contender, quantity: 'share' });

const claims: readonly Claim[] = [
  {
    observation: 3, paper: 'A batch of five BBR flows leaves a Reno flow less of its fair share than one BBR flow does.',
    first: share('iperf-reno', 'batch-download'), second: share('iperf-reno', 'iperf-bbr'), expects: 'lower',
  },
  {
    observation: 3, paper: 'The same for a CUBIC flow.',
    first: share('iperf-cubic', 'batch-download'), second: share('iperf-cubic', 'iperf-bbr'), expects: 'lower',
  },
  {
    observation: 4, paper: 'Beside batches with a barrier a BBR download fares better than beside five steady BBR flows (about 90 % against 33 %).',
    first: share('download-bbr', 'batch-download'), second: share('download-bbr', 'iperf-bbr-5'), expects: 'higher',
  },
  {
    observation: 6, paper: 'Beside a loss-based contender more of a call\'s packets are late than beside BBR.',
    first: { incumbent: 'live-clip', contender: 'iperf-cubic', quantity: 'late' }, second: { incumbent: 'live-clip', contender: 'iperf-bbr', quantity: 'late' }, expects: 'higher',
  },
  {
    observation: 3, paper: 'A video over four Reno connections leaves a Reno flow less than one over a single connection would.',
    first: share('iperf-reno', 'abr-video-4'), second: share('iperf-reno', 'abr-video-reno'), expects: 'lower',
  },
  {
    observation: 8, paper: 'A page takes longer to load beside a loss-based download than alone.',
    first: { incumbent: 'web-news', contender: 'iperf-cubic', quantity: 'page-load' }, second: { incumbent: 'web-news', contender: null, quantity: 'page-load' }, expects: 'higher',
  },
  {
    observation: 8, paper: 'Of the contenders BBR delays a page least: less than a loss-based one.',
    first: { incumbent: 'web-news', contender: 'iperf-bbr', quantity: 'page-load' }, second: { incumbent: 'web-news', contender: 'iperf-cubic', quantity: 'page-load' }, expects: 'lower',
  },
  {
    observation: 11, paper: 'A doubled buffer takes from Reno beside CUBIC (60 to 28 % at 8 Mbit/s).',
    first: { ...share('iperf-reno', 'iperf-cubic'), deep: true }, second: share('iperf-reno', 'iperf-cubic'), expects: 'lower',
  },
  {
    observation: 11, paper: 'A doubled buffer gives Reno more beside a batch of five BBR flows.',
    first: { ...share('iperf-reno', 'batch-download'), deep: true }, second: share('iperf-reno', 'batch-download'), expects: 'higher',
  },
  {
    observation: 13, paper: 'Another version of BBR changes how contentious it is: BBRv3 against BBRv1, beside a CUBIC flow.',
    first: share('iperf-cubic', 'iperf-bbr3'), second: share('iperf-cubic', 'iperf-bbr'), expects: 'different',
  },
];

/** Who takes part in any of them. */
export const findingContestants = [...new Set(claims.flatMap(({ first, second }) => [first, second].flatMap(({ incumbent, contender }) => [incumbent, contender ?? incumbent])))];

/** Whether one of them compares what that cell measures. */
export function isInFindings({ link, sides }: Cell): boolean {
  return claims.some(({ first, second }) => [first, second].some(({ incumbent, contender, deep }) => {
    const wanted = contender === null ? [incumbent] : [incumbent, contender];
    return link.endsWith(deepSuffix) === (deep === true) && sides.length === wanted.length && wanted.every(name => sides.includes(name));
  }));
}

/** The findings that a matrix has both measurements of, link by link. */
export function findingsOf(summary: PairsSummary): Finding[] {
  const links = summary.links.map(({ id }) => id).filter(id => !id.endsWith(deepSuffix));
  return claims.flatMap(({ paper, observation, expects, ...claim }) => links.flatMap((link): Finding[] => {
    const [first, second] = [claim.first, claim.second].map(measurement => ({ ...measurement, estimate: measured(summary, link, measurement) })) as [Finding['first'], Finding['second']];
    if (first.estimate.value === null || second.estimate.value === null) return [];
    return [{ paper, observation, link, first, second, verdict: verdictOf(first.estimate, second.estimate, expects) }];
  }));
}

/** How many comparisons there are to be had at most, on each link. */
export const claimCount = claims.length;

function measured({ cells }: PairsSummary, link: string, { incumbent, contender, quantity, deep }: Measurement): Estimate {
  const on = deep === true ? `${link}-deep` : link;
  const wanted = contender === null ? [incumbent] : [incumbent, contender];
  const cell = cells.find(({ link: own, sides }) => own === on && sides.length === wanted.length && wanted.every(name => sides.some(side => side.contestant === name)));
  return cell?.sides.find(side => side.contestant === incumbent)?.values[quantity] ?? noEstimate;
}

function verdictOf(first: Estimate, second: Estimate, expects: Claim['expects']): Finding['verdict'] {
  if (first.low === null || first.high === null || second.low === null || second.high === null) return 'undecided';
  const found = first.high < second.low ? 'lower' : first.low > second.high ? 'higher' : undefined;
  if (found === undefined) return 'undecided';
  return found === expects || expects === 'different' ? 'reproduced' : 'refuted';
}
