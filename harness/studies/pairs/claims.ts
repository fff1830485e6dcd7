/**
 * Claims about protocol stacks, not about companies: findings of the paper (Philip et al., SIGCOMM 2024, sections 4 to
 * 6), each with the setting of its measurement. A finding at 50 Mbit/s is claimed for 50 Mbit/s only. Comparisons that
 * this project adds are marked with `by: 'us'`.
 */
import { utilisation } from '../../../core/vocabulary/pair-names.ts';

/** A quantity of an incumbent beside a contender. If `contender` is null, the incumbent runs alone. */
export type Measurement = {
  incumbent: string;
  contender: string | null;
  quantity: string;
  /** True if the measurement needs the link with a doubled queue. */
  deep?: true;
  /** Bound that the claim states for this measurement, in the unit of the quantity. */
  level?: Level;
};

type Level = { below: number } | { above: number };

export type Claim = {
  /** Text of the paper's finding, or of a question that this project adds. */
  text: string;
  by: 'paper' | 'us';
  /**
   * Number of the observation in the paper. For a question of this project, the observation that prompted the question.
   */
  observation: number;
  /** Rates of the links for which the claim is made, bit/s. By default the claim is measured at the first rate. */
  ratesBps: readonly number[];
  first: Measurement;
  second: Measurement;
  /** Expected relation of the first measurement to the second. */
  expects: 'lower' | 'higher' | 'different';
};

const highlyConstrained = 8e6;
const moderatelyConstrained = 50e6;
const both = [moderatelyConstrained, highlyConstrained] as const;

const share = (incumbent: string, contender: string) => ({ incumbent, contender, quantity: 'share' });
const used = (incumbent: string, contender: string, level: Level) => ({
  incumbent,
  contender,
  quantity: utilisation.id,
  level,
});
const late = (contender: string) => ({ incumbent: 'live-clip', contender, quantity: 'late' });
const pageLoad = (contender: string | null) => ({ incumbent: 'web-news', contender, quantity: 'page-load' });
const underused = { below: 0.85 };
const inFullUse = { above: 0.95 };
const deep = <M extends Measurement>(measurement: M) => ({ ...measurement, deep: true as const });

/** Reno and CUBIC, with the parts of the fair share that each got in the paper. */
const lossBased = [
  { name: 'Reno', flow: 'iperf-reno', besideFive: '80 to 90 %', besideBatch: '22 %', besideBatchDeep: '92 %' },
  { name: 'CUBIC', flow: 'iperf-cubic', besideFive: '80 to 90 %', besideBatch: '27 %', besideBatchDeep: '97 %' },
] as const;

export const claims: readonly Claim[] = [
  ...lossBased.map(
    ({ name, flow }): Claim => ({
      by: 'paper',
      observation: 3,
      ratesBps: both,
      text: `A batch of five BBR flows leaves a ${name} flow less of its fair share than one BBR flow does.`,
      first: share(flow, 'batch-download'),
      second: share(flow, 'iperf-bbr'),
      expects: 'lower',
    }),
  ),
  {
    by: 'us',
    observation: 3,
    ratesBps: [highlyConstrained],
    text: 'It is the four connections: a video over four Reno connections leaves a Reno flow less than the same video over one.',
    first: share('iperf-reno', 'abr-video-4'),
    second: share('iperf-reno', 'abr-video-reno'),
    expects: 'lower',
  },
  {
    by: 'paper',
    observation: 4,
    ratesBps: [moderatelyConstrained],
    text: 'Beside batches with a barrier a BBR download fares better than beside five steady BBR flows (almost 90 % against 33 %).',
    first: share('download-bbr', 'batch-download'),
    second: share('download-bbr', 'iperf-bbr-5'),
    expects: 'higher',
  },
  ...lossBased.map(
    ({ name, flow, besideBatch, besideFive }): Claim => ({
      by: 'paper',
      observation: 4,
      ratesBps: [moderatelyConstrained],
      text: `A ${name} flow fares worse beside the batches than beside five steady BBR flows (${besideBatch} against ${besideFive}).`,
      first: share(flow, 'batch-download'),
      second: share(flow, 'iperf-bbr-5'),
      expects: 'lower',
    }),
  ),
  {
    by: 'paper',
    observation: 6,
    ratesBps: [highlyConstrained, moderatelyConstrained],
    text: "Beside a loss-based contender more of a call's packets are late than beside BBR.",
    first: late('iperf-cubic'),
    second: late('iperf-bbr'),
    expects: 'higher',
  },
  {
    by: 'paper',
    observation: 8,
    ratesBps: both,
    text: 'A page takes longer to load beside a loss-based download than alone.',
    first: pageLoad('iperf-cubic'),
    second: pageLoad(null),
    expects: 'higher',
  },
  {
    by: 'paper',
    observation: 8,
    ratesBps: [moderatelyConstrained],
    text: 'Of the contenders that fill the link BBR delays a page least: less than a loss-based one.',
    first: pageLoad('iperf-bbr'),
    second: pageLoad('iperf-cubic'),
    expects: 'lower',
  },
  ...lossBased.map(
    ({ name, flow }): Claim => ({
      by: 'paper',
      observation: 9,
      ratesBps: [moderatelyConstrained],
      text:
        `The batches beside a ${name} flow leave the link underused, below 85 %, where most pairs use 95 % and more, ` +
        'as one BBR flow beside it does.',
      first: used(flow, 'batch-download', underused),
      second: used(flow, 'iperf-bbr', inFullUse),
      expects: 'lower',
    }),
  ),
  ...lossBased.flatMap(({ name, flow, besideBatch, besideBatchDeep }): Claim[] => [
    {
      by: 'paper',
      observation: 11,
      ratesBps: [moderatelyConstrained],
      text: `A doubled buffer gives ${name} more beside the batches (${besideBatch} to more than ${besideBatchDeep}).`,
      first: deep(share(flow, 'batch-download')),
      second: share(flow, 'batch-download'),
      expects: 'higher',
    },
    {
      by: 'paper',
      observation: 11,
      ratesBps: [moderatelyConstrained],
      text: `And the link is used: the batches beside ${name} take more of it together, from below 85 % to more than 95 %.`,
      first: deep(used(flow, 'batch-download', inFullUse)),
      second: used(flow, 'batch-download', underused),
      expects: 'higher',
    },
  ]),
  {
    by: 'paper',
    observation: 11,
    ratesBps: [highlyConstrained],
    text: 'A doubled buffer takes from Reno beside CUBIC (60 to 28 %).',
    first: deep(share('iperf-reno', 'iperf-cubic')),
    second: share('iperf-reno', 'iperf-cubic'),
    expects: 'lower',
  },
  {
    by: 'us',
    observation: 13,
    ratesBps: both,
    text:
      'Another version of BBR is another contender: BBRv3 leaves a CUBIC flow more or less than BBRv1 does. ' +
      '(The paper compared BBRv1 of two kernels, and Google Drive before and after BBRv3.)',
    first: share('iperf-cubic', 'iperf-bbr3'),
    second: share('iperf-cubic', 'iperf-bbr'),
    expects: 'different',
  },
];
