/** Claims of papers that no shipped study follows by itself. Those of a study are in its file (`paperClaims`). */
import type { PaperClaim } from '../../definition/paper-claim.ts';

export const unstudied: PaperClaim[] = [
  {
    paper: 'philip',
    place: 'Observation 1, Figure 2',
    isMain: true,
    text: 'Unfair outcomes are common: at 8 Mbit/s the median loser gets 69 % of its fair share.',
    verdict: 'not-testable',
    measured: 'The median loser gets 96.1 % in 6 pairs; of two different services 19.5, 74.1 and 97.0 %.',
    pages: ['pairs-8mbit'],
    substitute: 'a WebRTC stream and iperf flows for real services',
    differs: 'Three services, none of them one of the paper; its kinds of service are missing.',
  },
  {
    paper: 'philip',
    place: 'Observation 2, Figure 2',
    text: 'The most and the least contentious service use variants of one congestion control.',
    verdict: 'not-measured',
    differs: 'Batches and adaptive video are missing on pairs-8mbit.',
  },
  {
    paper: 'philip',
    place: 'Observation 5, Figure 5',
    text: 'Trade-offs of applications change how sensitive their users find them: Meet against Teams.',
    verdict: 'not-measured',
    differs: 'Two kinds of calls are missing.',
  },
  {
    paper: 'philip',
    place: 'Observation 7',
    text: 'Layered control loops make contention of video services hard to predict: Teams halves what Vimeo gets.',
    verdict: 'not-measured',
    differs: 'Adaptive video beside a call is missing.',
  },
  {
    paper: 'philip',
    place: 'Observation 10',
    text: 'Services with several flows cause the most loss; single BBR flows beside each other cause none.',
    verdict: 'in-part',
    measured: 'BBRv3 beside BBRv3 loses 0.0 %, a call beside CUBIC 0.2 %.',
    pages: ['pairs-8mbit'],
    substitute: 'BBRv3 for BBRv1',
    differs: 'Services with several flows are missing.',
  },
  {
    paper: 'philip',
    place: 'Observation 12, Figure 7',
    text: 'More bandwidth can make contention worse.',
    verdict: 'not-measured',
    differs: 'One rate was measured.',
  },
  {
    paper: 'philip',
    place: 'Observation 14, Table 3',
    text: 'Many of the most harmful outcomes belong to a pair, not to one service; relations are not transitive.',
    verdict: 'not-measured',
    differs: 'Three services have too few triples: 0 of 6 were decided.',
  },
  {
    paper: 'philip',
    place: 'Observation 15, Figure 10',
    text: 'Unstable services harm in one trial and not in the next.',
    verdict: 'not-measured',
    differs: 'Three trials of a pair are too few.',
  },
];
