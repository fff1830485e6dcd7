/** The papers that shipped studies follow, and notes on that of Juntima et al., which several studies share. */

/** Authors and title of each paper, in the order of docs/results/README.md. */
export const papers = {
  juntima: { authors: 'Juntima, Nguyen and Pop', title: "Insights into BBRv3's fairness over WebRTC" },
  baldassin: {
    authors: 'Baldassin, Urvoy-Keller and Lopez Pacheco',
    title: "Sur l'interaction entre les algorithmes de congestion de WebRTC et QUIC",
  },
  drucker: {
    authors: 'Drucker et al.',
    title: 'Investigating WebRTC BBR as an alternative to GCC for live video streaming',
  },
  mishra: {
    authors: 'Mishra et al.',
    title: 'Conjecture: Existence of Nash Equilibria in Modern Internet Congestion Control',
  },
  philip: { authors: 'Philip et al.', title: 'Prudentia: Findings of an Internet Fairness Watchdog' },
} as const;

export type PaperId = keyof typeof papers;

/** Differences between the studies that follow this paper and the paper itself. */
export const juntimaDeviations =
  "The paper's link is HTB by its section 3, netem with TBF by its section 6; both let the first packets after a pause " +
  'through at once; ' +
  'the one here serialises unless link.backend says otherwise, and the study shapers tells what that changes. ' +
  'The clip is another one of the same size and frame rate. Random loss falls on the way to the client only, ' +
  "and the return path is not shaped; the flood starts about a second before the first frame, while the paper's stream " +
  'first runs alone for five seconds; ' +
  'the sender is a live x264 or NVENC encoder under GCC with transport-wide feedback, not aiortc with REMB, ' +
  'and the viewer is Chromium. BBRv3 follows the IETF draft, whose wait for a bandwidth probe is as many round trips ' +
  'as the BDP has packets. On this link, whose BDP without added delay is 1 or 2 packets, ' +
  'one flow alone spends 55 to 61 % of the time in ProbeBW_UP, with 47 to 158 changes of state a second and a median ' +
  "queue of 11 to 23 packets (emulator, 40 s, n = 3). Google's kernel, of which the scripts published with the paper " +
  'install a build (6.4.0-bbrv3), adds its quantisation budget there; with that (flood.bbr3Budget=kernel) it is ' +
  '4.1 to 4.4 %, 2.6 to 2.7 a second and 74 packets, so its standing queue is about 15 to 19 ms longer.';

/** Doubts about Table 1 of the paper: about its text, and about the data and scripts that were published with it. */
export const juntimaNote =
  "The paper's text says five runs of each phase, averaged; the data published with it hold one run of each. " +
  'In these its sender, aiortc, stays near 1 Mbit/s, and all stalled time lies in the last seconds, ' +
  'after the sender was stopped; these seconds are also in its frame rate. The paper puts its stalls down to the ' +
  "seek at the clip's end. Its lossy attack has 2 % loss by section 3.1 and 1 % by section 4; " +
  'it stands beside 2 % here.';
