/** Describes the result of a cycle on a link in one sentence. */
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import type { LinkSummary, PairsSummary } from '../../../harness/studies/pairs/summary.ts';
import { formatInterval, formatMedian, formatValue } from '../../format.ts';
import { isWhole, pairsOn, titleOf } from '../data.ts';

/** Share below which the text says that a service gets little. */
const littleBelow = 0.9;

type Loss = { loser: string; winner: string; share: Estimate & { value: number } };

const isKnown = (share: Estimate | undefined): share is Loss['share'] => share !== undefined && share.value !== null;

/** Returns the service with the lower share in each pair of a link, lowest share first. */
function losses(summary: PairsSummary, link: string): Loss[] {
  return pairsOn({ summary }, link)
    .flatMap(({ sides }) => {
      const [first, second] = sides.map(({ contestant, values }) => ({ contestant, share: values['share'] }));
      if (!isKnown(first?.share) || !isKnown(second?.share)) return [];
      const [loser, winner] = first.share.value <= second.share.value ? [first, second] : [second, first];
      return [{ loser: loser.contestant, winner: winner.contestant, share: loser.share as Loss['share'] }];
    })
    .sort((a, b) => a.share.value - b.share.value);
}

export function linkVerdict(summary: PairsSummary, { id, losers }: LinkSummary): string {
  const all = losses(summary, id);
  const [worst] = all;
  if (worst === undefined) return 'no pair could be measured.';
  const { share } = worst;
  const interval = formatInterval(share, 'ratio');
  const least = `${formatMedian(share, 'ratio')}${interval === '' ? '' : ` ${interval}`} of its fair share`;
  const proof = interval === '' ? ` (n = ${share.n}, no interval)` : '';
  const loser = titleOf({ summary }, worst.loser);
  const beside = worst.loser === worst.winner ? 'itself' : titleOf({ summary }, worst.winner);
  const said =
    share.value < littleBelow
      ? `${loser} gets least: ${least} beside ${beside}${proof}`
      : `nobody gets much less than its fair share; ${loser} gets least, ${least} beside ${beside}${proof}`;
  return losers.median === null || losers.n < 2 || !isWhole({ summary }, id)
    ? `${said}.`
    : `${said}; the loser of a pair gets ${formatValue(losers.median, 'ratio')} in the median of ${losers.n} pairs.`;
}
