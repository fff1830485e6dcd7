/**
 * Study of the pairs that the findings of the paper compare (Philip et al., SIGCOMM 2024), on the links of these
 * findings.
 */

import type { PaperClaim } from '../../../definition/paper-claim.ts';
import { definePairs } from '../define.ts';

export default definePairs({ title: "The paper's findings, pair by pair", findings: true });

const missing = 'The study (findings) has no page.';

export const paperClaims: PaperClaim[] = [
  {
    paper: 'philip',
    place: 'Observation 3, Figure 3',
    text: 'Several concurrent flows are one cause of unfairness.',
    verdict: 'not-measured',
    differs: missing,
  },
  {
    paper: 'philip',
    place: 'Observation 4, Figure 4',
    text: 'The pattern of requests shapes fairness: batches of five flows are unlike five steady flows.',
    verdict: 'not-measured',
    differs: missing,
  },
  {
    paper: 'philip',
    place: 'Observation 6, Figure 5',
    text: 'Beside loss-based traffic 40 to 90 % of the packets of a call are late.',
    verdict: 'found',
    measured: '49.2 % beside CUBIC, 0.0 % beside BBRv3.',
    pages: ['pairs-8mbit'],
    substitute: 'a WebRTC stream for Meet and Teams',
    differs: 'One kind of call, 8 Mbit/s, three trials of 40 s, not 6 min.',
  },
  {
    paper: 'philip',
    place: 'Observation 8, Figure 6',
    text: 'Competing traffic doubles the time to load a page at 50 Mbit/s and triples it at 8 Mbit/s.',
    verdict: 'not-measured',
    differs: missing,
  },
  {
    paper: 'philip',
    place: 'Observation 9',
    text: 'Behaviour of applications causes unfairness and an underused link at once.',
    verdict: 'not-measured',
    differs: missing,
  },
  {
    paper: 'philip',
    place: 'Observation 11, Figure 8',
    text: 'The size of the buffer changes fairness and utilisation.',
    verdict: 'not-measured',
    differs: missing,
  },
  {
    paper: 'philip',
    place: 'Observation 13, Figure 9',
    text: 'Small changes of a congestion control change what others get beside it.',
    verdict: 'not-measured',
    differs: `${missing} On pairs-8mbit BBRv3 is measured, BBRv1 is not.`,
  },
];
