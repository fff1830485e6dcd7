/** The first answers of docs/results/README.md: those to questions that readers bring along. */

type Answer = {
  question: string;
  /** The answer. Each number is on one of `pages`. */
  answer: string;
  /** Pages of docs/results with the values, by their names without ".md". */
  pages: string[];
};

export const answers: Answer[] = [
  {
    question: 'What does a BBRv3 flow do to a WebRTC stream on 40 Mbit/s, at a base round trip of 0 ms?',
    answer:
      'Little behind the emulator: the stream keeps 7.38 of 7.39 Mbit/s without a stall; the mean round trip rises from ' +
      '0.6 to 4.4 ms, the p95 latency of frames by 10.3 ms [1.8, 19.3]. Behind HTB, which lets bursts through, it ' +
      'keeps 6.05 Mbit/s [2.53, 7.40].',
    pages: ['bbr-flood', 'shapers'],
  },
  {
    question: 'And at a base round trip of 20 ms?',
    answer:
      'Most of its bitrate is gone: after 30 s the stream keeps 0.96 Mbit/s [0.17, 1.22] of 7.35, at 59.0 of 60 fps and ' +
      'without a stall; the mean round trip rises from 20.3 to 36.6 ms.',
    pages: ['bbr-flood-20ms'],
  },
];
