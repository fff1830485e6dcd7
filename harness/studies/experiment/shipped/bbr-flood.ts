/**
 * The flagship study: a WebRTC stream like cloud gaming, beside a BBRv3 download behind a plain FIFO. The first three
 * conditions are those of the paper. The fourth separates the effects of loss and of flood in the third condition.
 */
import { defineExperiment } from '../../../definition/define.ts';
import type { PaperClaim } from '../../../definition/paper-claim.ts';
import { juntimaDeviations, juntimaNote } from '../../../definition/papers.ts';

export default defineExperiment({
  title: 'A WebRTC stream beside a BBR flood, behind a FIFO bottleneck',
  question: 'What does the viewer of a 720p60 WebRTC stream see while a BBRv3 download fills the same 40 Mbit/s link?',
  source: 'Juntima, Nguyen, Pop: "Insights into BBRv3\'s fairness over WebRTC": Table 1, Figures 4 to 9',

  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'iperf', congestionControl: 'bbr3', flows: 1 },

  conditions: {
    baseline: { title: 'Baseline', flood: { id: 'none' } },
    wired: { title: 'Wired attack' },
    lossy: { title: 'Lossy attack', link: { loss: '2%' } },
    loss: { title: 'Loss alone', flood: { id: 'none' }, link: { loss: '2%' } },
  },
  baseline: 'baseline',

  // the paper, section 4: RTT inflation and throughput dynamics "provide the primary evidence"
  primary: ['rtt-mean', 'goodput'],
  // without added delay the stream keeps its bitrate from the start; with link.rtt=20ms it falls for half a minute, so that
  // run.startUp=30s belongs to it
  run: { window: '40s', startUp: '3s', repeats: 1, seed: 1 },

  reference: {
    title: 'Paper, Table 1',
    note: juntimaNote,
    deviations: `${juntimaDeviations} The condition with loss alone is ours.`,
    values: {
      goodput: { baseline: '1.04 Mbit/s', wired: '1.01 Mbit/s', lossy: '0.87 Mbit/s' },
      'rtt-mean': { baseline: '0.16 ms', wired: 'about 78.4 ms', lossy: 'high variance' },
      'frame-rate': { baseline: '54.8 fps', wired: '53.2 fps', lossy: '52.4 fps' },
      'stall-time': { baseline: '2.59 s', wired: '3.10 s', lossy: '3.84 s' },
      'harm-factor': { wired: '1.2', lossy: '1.5' },
      'jain-index': { wired: '0.53', lossy: '0.52' },
    },
    others: { goodput: { wired: '37.27 Mbit/s', lossy: '36.78 Mbit/s' } },
  },
});

export const paperClaims: PaperClaim[] = [
  {
    paper: 'juntima',
    place: 'Table 1, Figure 4',
    isMain: true,
    text: 'Beside a BBRv3 flow that fills the link the stream keeps its goodput: 1.01 of 1.04 Mbit/s.',
    verdict: 'in-part',
    measured: 'No added delay: 7.38 of 7.39 Mbit/s. At 20 ms, after 30 s: 0.96 of 7.35 Mbit/s.',
    pages: ['bbr-flood', 'bbr-flood-20ms'],
    substitute: "the draft's BBRv3 for Google's",
    differs: 'The stream wants 7.39 Mbit/s, not 1. The paper has no path with added delay.',
  },
  {
    paper: 'juntima',
    place: 'Table 1, Figures 5, 6',
    text: 'Beside BBRv3 the mean round trip rises from 0.16 ms to about 78.4 ms, with loss beyond 150 ms.',
    verdict: 'in-part',
    measured: 'It rises from 0.6 to 4.4 ms, with 2 % loss to 3.4 ms; behind HTB it is 8.2 ms.',
    pages: ['bbr-flood', 'shapers'],
    substitute: "the draft's BBRv3 for Google's",
    differs: "The direction is found, the size is not; Google's quantisation budget explains 15 to 19 ms of it.",
  },
  {
    paper: 'juntima',
    place: 'Table 1, section 4',
    text: 'Loss lowers the goodput by 16 %, and BBRv3 does not cause that.',
    verdict: 'in-part',
    measured: '2 % loss: 7.25 of 7.39 Mbit/s, alone and beside BBRv3 alike.',
    pages: ['bbr-flood'],
    substitute: "the draft's BBRv3 for Google's, GCC with transport-wide feedback for aiortc",
    differs: 'The paper has no trial with loss alone; its sender reacts to loss more than ours.',
  },
  {
    paper: 'juntima',
    place: 'Table 1, Figure 8',
    text: 'The frame rate falls a little, from 54.8 fps to 53.2 beside BBRv3 and 52.4 with loss, and does not collapse.',
    verdict: 'found',
    measured: '59.2 fps alone, 59.3 beside BBRv3, 56.9 with loss as well, 57.6 with loss alone.',
    pages: ['bbr-flood'],
    substitute: "the draft's BBRv3 for Google's",
    differs: 'Here the loss lowers it, the flood alone does not.',
  },
  {
    paper: 'juntima',
    place: 'Table 1, Figure 7',
    text: 'Stalled time grows 1.2 times beside BBRv3 and 1.5 times with loss.',
    verdict: 'not-testable',
    measured: 'No stall alone or beside BBRv3; with loss and flood 3 stalls in 1 of 6 trials, with loss alone 1.',
    pages: ['bbr-flood'],
    differs: 'A baseline without stalls has no multiple; the paper itself puts its stalls down to its host.',
  },
  {
    paper: 'juntima',
    place: 'Figure 9',
    text: "Jain's index of stream and flood is 0.53 beside BBRv3 and 0.52 with loss.",
    verdict: 'not-testable',
    measured: '0.73 and 0.73.',
    pages: ['bbr-flood'],
    differs:
      'The index follows what the stream wants: 7.39 Mbit/s here, 1 Mbit/s there. A stream of 1 Mbit/s is missing.',
  },
  {
    paper: 'juntima',
    place: 'Section 4',
    text: 'BBRv3 leaves a stream more than BBRv1 and loss-based TCP do.',
    verdict: 'in-part',
    measured: '7.35 Mbit/s beside BBRv3, 7.35 beside BBRv1, 2.98 beside CUBIC.',
    pages: ['flood-kinds'],
    substitute: "the draft's BBRv3 for Google's",
    differs: 'More than CUBIC, not more than BBRv1; no added delay, 360 lines at 30 fps.',
  },
  {
    paper: 'juntima',
    place: 'Abstract',
    text: 'Modest loss amplifies the harm that BBRv3 does.',
    verdict: 'undecided',
    measured:
      'With 2 % loss the flood changes the frame rate by −0.7 fps [−3.3, 0.1] and the bitrate by −0.002 Mbit/s.',
    pages: ['bbr-flood'],
    substitute: "the draft's BBRv3 for Google's",
    differs: 'Too few pairs for a test of it, and no path with added delay.',
  },
];
