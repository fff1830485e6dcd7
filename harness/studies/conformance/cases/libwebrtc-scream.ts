/**
 * Links of libwebrtc's tests of SCReAMv2, each with the range of the sender's bandwidth estimate that its test expects.
 * Source: libwebrtc f3ae3eb (2026-08-21), test/peer_scenario/bwe_integration_tests/scream_test.cc.
 */
import type { LinkDefinition } from '../../../definition/link.ts';
import { defineCases } from '../case.ts';
import { bothWays, testsOf, unlimited } from '../libwebrtc.ts';

const { leftOut, ranged } = testsOf('scream_test.cc');

/** Target of libwebrtc's DualPI2 in these tests. Its model has no step threshold: 100 ms is the highest here. */
const marking = { limit: unlimited, aqm: { id: 'dualpi2', target: '10ms', step: '100ms' }, ecn: true } as const;

const withEcn = {
  marks: true,
  withoutEcn: 'Its packets wait in the classic queue, which drops where the other one marks.',
  differs:
    'DualPI2 of RFC 9332 in place of a model that draws a mark twice for each packet, when it comes and when it leaves.',
} as const;

const traces = 'harness/studies/conformance/traces';
const moving = 'A clip that moves all the time in place of slides.';

/** Link whose bottlenecks pause for 100 ms after every 200 ms, in both directions. */
const pausing = (rate: `${number}mbit`): LinkDefinition => {
  const link = bothWays(rate, 10);
  const trace = { file: `${traces}/pauses-200ms-100ms.csv` };
  return { ...link, trace, up: { ...link.up, trace } };
};

/** Link with random loss towards the client, behind the queue. */
const lossy = (rate: `${number}mbit`, oneWayMs: number, ratio: `${number}%`): LinkDefinition => ({
  ...bothWays(rate, oneWayMs),
  loss: { ratio, where: 'after' },
});

const returnLink = bothWays('1mbit', 25);

export default defineCases({
  '600kbit-100ms': ranged({
    title: '600 kbit/s, 100 ms',
    tests: 'LinkCapacity600KbpsRtt100msNoEcn',
    windowS: 10,
    link: bothWays('600kbit', 50),
    each: { kbit: [250, 700], from: 1 },
  }),
  '600kbit-100ms-gcc': ranged({
    title: '600 kbit/s, 100 ms, range of GCC',
    tests: 'LinkCapacity600KbpsRtt100msNoEcnWithGoogCC',
    windowS: 10,
    link: bothWays('600kbit', 50),
    end: [450, 700],
  }),
  '600kbit-100ms-ecn': ranged({
    ...withEcn,
    title: '600 kbit/s, 100 ms, with ECN',
    tests:
      'LinkCapacity600KbpsRtt100msEcn; at the end also LinkCapacity600KbpsRtt100msEcnAfterCe and ' +
      'LinkCapacity600KbpsRtt100msEcnWithGoogCcAfterCe, other senders',
    windowS: 10,
    link: bothWays('600kbit', 50, marking),
    each: { kbit: [350, 660], from: 3 },
  }),
  '600kbit-20ms': ranged({
    title: '600 kbit/s, 20 ms',
    tests: 'LinkCapacity600KbpsRtt20msNoEcn',
    windowS: 30,
    link: bothWays('600kbit', 10),
    each: { kbit: [200, 900], from: 1 },
  }),
  '100kbit-50ms': ranged({
    title: '100 kbit/s, 50 ms',
    tests: 'LinkCapacity100Kbit50msRttNoEcn',
    windowS: 10,
    link: bothWays('100kbit', 25),
    each: { kbit: [10, 150] },
  }),
  '1mbit-100ms-ecn': ranged({
    ...withEcn,
    title: '1 Mbit/s, 100 ms, with ECN',
    tests: 'LinkCapacity1000KbpsRtt100msEcn',
    windowS: 10,
    link: bothWays('1mbit', 50, marking),
    each: { kbit: [600, 1000], from: 2 },
  }),
  '1500kbit-30ms': ranged({
    title: '1.5 Mbit/s, 30 ms',
    tests: 'LinkCapacity1500KbpsRtt30msNoEcn',
    windowS: 30,
    link: bothWays('1500kbit', 15),
    each: { kbit: [800, 2200], from: 1 },
  }),
  '2mbit-50ms': ranged({
    title: '2 Mbit/s, 50 ms',
    tests: 'LinkCapacity2MbpsRtt50msNoEcn',
    windowS: 30,
    link: bothWays('2mbit', 25),
    each: { kbit: [1300, 2500], from: 1 },
  }),
  '2mbit-50ms-gcc': ranged({
    title: '2 Mbit/s, 50 ms, range of GCC',
    tests: 'LinkCapacity2MbpsRtt50msNoEcnWithGoogCC',
    windowS: 30,
    link: bothWays('2mbit', 25),
    end: [1000, 2600],
  }),
  '2mbit-50ms-twcc': ranged({
    title: '2 Mbit/s, 50 ms, range of transport-wide feedback',
    tests: 'LinkCapacity2MbpsRtt50msNoEcnWithTwcc',
    differs: 'The feedback is that of the sender under test.',
    windowS: 30,
    link: bothWays('2mbit', 25),
    each: { kbit: [700, 2600], from: 5 },
  }),
  '2mbit-50ms-ecn': ranged({
    ...withEcn,
    title: '2 Mbit/s, 50 ms, with ECN',
    tests: 'LinkCapacity2MbpsRtt50msEcn',
    windowS: 30,
    link: bothWays('2mbit', 25, marking),
    each: { kbit: [1300, 2300], from: 1 },
  }),
  '4mbit-50ms-jitter': ranged({
    title: '4 Mbit/s, 50 ms, jitter',
    tests: 'LinkCapacity4MbpsRtt50ms10MsDelayStdDev',
    differs:
      'Half of a normal distribution with the same mean and standard deviation of the delay, 25 and 10 ms, in place of a ' +
      'normal one; before the queue in place of behind it, and towards the client alone.',
    windowS: 30,
    link: { ...bothWays('4mbit', 25), delay: { down: '12ms', up: '25ms' }, jitter: '50ms' },
    each: { kbit: [700, 4100], from: 1 },
  }),
  '50mbit-20ms': ranged({
    title: '50 Mbit/s, 20 ms, the first 400 ms',
    tests: 'RampupFastOnLinkCapacity50Mbit20MsRttNoEcn',
    differs: 'A window of 5 s in place of 1 s. Chromium tells its estimate once a second, and so has no value here.',
    windowS: 5,
    link: bothWays('50mbit', 10),
    expects: { 'estimate-at-end': { to: '400ms', atLeast: '1200kbit', atMost: '2500kbit' } },
  }),
  '500kbit-to-5mbit': ranged({
    title: '500 kbit/s, after 5 s 5 Mbit/s',
    tests: 'LinkCapacityIncreaseFrom500KbitTo5MbpsAfter5sNoEcn',
    windowS: 10,
    link: {
      rate: '500kbit',
      queue: { limit: unlimited },
      delay: { down: '15ms', up: '25ms' },
      schedule: [{ at: '5s', rate: '5mbit' }],
      up: { rate: '3mbit', queue: 'same' },
    },
    each: { kbit: [200, 600], from: 1, to: 4 },
    end: [1200, 5000],
  }),
  '80kbit-to-5mbit': leftOut(
    '80 kbit/s, after 5 s 5 Mbit/s, camera off',
    'LinkCapacityIncreaseFrom80KbitTo5MbpsAfter5sVideoCaptureStoppedNoEcn',
    'its sender has a camera that is off and sends a voice alone, which no sender under test does',
  ),
  'delay-step': ranged({
    title: '1 Mbit/s, 20 ms, after 3 s 90 ms',
    tests: 'CallerResetQueueDelayEstimateAfterIncreasedFixedDelay',
    windowS: 35,
    link: {
      rate: '1mbit',
      queue: { limit: unlimited },
      delay: { down: '10ms', up: '10ms' },
      trace: { file: `${traces}/delay-step-70ms.csv`, loop: false },
      up: { rate: '2mbit', queue: 'same' },
    },
    end: [600, 1200],
    expects: { 'highest-estimate': { from: '5s', to: '6s', atMost: '400kbit' } },
  }),
  'feedback-pause': ranged({
    title: '600 kbit/s, no feedback from 3 s to 6 s',
    tests: 'CallerPauseSendingVideoIfFeedbackNotReceived',
    differs: 'Its video sends nothing between 4 s and 5 s; the bound on the rate leaves room for the voice.',
    windowS: 10,
    link: {
      rate: '600kbit',
      queue: { limit: unlimited },
      delay: { down: '50ms', up: '0ms' },
      up: { rate: '1mbit', queue: 'same', trace: { file: `${traces}/pause-3s-to-6s.csv`, loop: false } },
    },
    expects: {
      'least-rate': { from: '4s', to: '5s', atMost: '100kbit' },
      'estimate-at-end': { from: '9s', atMost: '800kbit' },
    },
  }),
  '2mbit-pauses': ranged({
    title: '2 Mbit/s, pauses of 100 ms',
    tests: 'LinkCapacity2MbitRepeatedDelaySpikesNoEcn',
    differs:
      'Estimates are read once a second, not five times. That the pacer delays packets by less than 50 ms is not judged: ' +
      'the senders do not tell it in parts of a second.',
    windowS: 20,
    link: pausing('2mbit'),
    each: { kbit: [700, 2000], from: 1 },
  }),
  '5mbit-pauses': ranged({
    title: '5 Mbit/s, pauses of 100 ms',
    tests: 'LinkCapacity5MbitRepeatedDelaySpikesNoEcn',
    windowS: 20,
    link: pausing('5mbit'),
    each: { kbit: [1200, 5000], from: 1 },
  }),
  '4mbit-pauses': ranged({
    title: '4 Mbit/s, pauses of 500 ms',
    tests: 'ScreencastSlideChangeRepeatedDelaySpikes',
    differs: moving,
    windowS: 20,
    link: {
      rate: '4mbit',
      queue: { limit: unlimited },
      delay: { down: '10ms', up: '25ms' },
      trace: { file: `${traces}/pauses-4s-500ms.csv` },
      up: { rate: '2mbit', queue: 'same' },
    },
    each: { kbit: [500, 4300] },
  }),
  '1mbit-pause': leftOut(
    '1 Mbit/s, a pause of 500 ms',
    'PacerDelayIsAcceptableAfterSingleDelaySpike',
    'it expects a delay of the pacer of less than 700 ms in every 200 ms, which the senders do not tell',
  ),
  '500kbit-30ms': ranged({
    title: '500 kbit/s, 30 ms',
    tests: 'ScreencastSlideChange500Kbit30msRttNoEcn',
    differs: moving,
    windowS: 20,
    link: bothWays('500kbit', 15),
    each: { kbit: [200, 700], from: 1 },
  }),
  '2mbit-50ms-slides': leftOut(
    '2 Mbit/s, 50 ms, slides',
    'ScreencastSlideChange2Mbit50msRttNoEcn',
    'it is the link of libwebrtc-scream-2mbit-50ms with slides for pictures, and no clip here has slides',
  ),
  '1mbit-50ms-short-queue': ranged({
    title: '1 Mbit/s, 50 ms, a queue of three packets',
    tests: 'LinkCapacity1MbitRtt50msWithShortQueuesNoEcn',
    windowS: 10,
    link: {
      ...bothWays('1mbit', 25),
      queue: { limit: '3packets' },
      up: { rate: '1mbit', queue: { limit: unlimited } },
    },
    each: { kbit: [200, 1100], from: 1 },
    expects: { 'queue-dropped-share': { atMost: '7%' } },
  }),
  '1mbit-50ms-loss': ranged({
    title: '1 Mbit/s, 50 ms, loss of 10 %',
    tests: 'LinkCapacity1MbitRtt50msWith10PercentRandomLossNoEcn',
    windowS: 10,
    link: lossy('1mbit', 25, '10%'),
    each: { kbit: [100, 1100], from: 1 },
  }),
  '3mbit-80ms-loss-5': ranged({
    title: '3 Mbit/s, 80 ms, loss of 5 %',
    tests: 'LowBweOnLinkWith5PercentUniformLoss',
    windowS: 10,
    link: lossy('3mbit', 40, '5%'),
    each: { kbit: [100, 1500], from: 2 },
  }),
  '3mbit-80ms-loss-1': ranged({
    title: '3 Mbit/s, 80 ms, loss of 1 %',
    tests: 'Ignores1PercentUniformLossOnLinkWith80msRtt',
    windowS: 10,
    link: lossy('3mbit', 40, '1%'),
    each: { kbit: [1000, 3000], from: 2 },
  }),
  '3mbit-80ms-reordering': ranged({
    title: '3 Mbit/s, 80 ms, reordering',
    tests: 'IgnoresPacketReorderingOnLinkWith80msRtt',
    differs:
      'Of the packets, 30 % are held back for 8 ms before the queue, in place of a delay behind it with a standard ' +
      'deviation of 5 ms.',
    windowS: 10,
    link: { ...bothWays('3mbit', 40), reorder: { ratio: '30%', delay: '8ms' } },
    each: { kbit: [1000, 3000], from: 2 },
  }),
  '1mbit-50ms-return-loss': ranged({
    title: '1 Mbit/s, 50 ms, bursts of loss on the way back',
    tests: 'ReturnLinkWithBurstLoss',
    windowS: 20,
    // 20 % in bursts of three on average
    link: {
      ...returnLink,
      up: { ...returnLink.up, loss: { toBad: '8.3333%', toGood: '33.3333%', where: 'after' } },
    },
    each: { kbit: [300, 1300], from: 1 },
  }),
  '1mbit-50ms-return-loss-video': leftOut(
    '1 Mbit/s, 50 ms, bursts of loss on the way back, video alone',
    'SendVideoOnlyReturnLinkWithBurstLoss',
    'it is the link of libwebrtc-scream-1mbit-50ms-return-loss without a voice, and a case does not choose that',
  ),
  '5mbit-policed': leftOut(
    '5 Mbit/s, policed to 256 kbit/s',
    'LinkCapacity5MbitPolicedTo256Kbit',
    'it asks for a policer, a token bucket that drops and has no queue, which the emulator does not have',
  ),
  '5mbit-tcp': ranged({
    title: '5 Mbit/s, 50 ms, beside a TCP flow of 5 s',
    tests: 'LinkCapacity5MbitWithCrossTrafficNoEcn',
    differs: 'TCP sends for 5 s in place of 2 MB, and is CUBIC. As there, the estimate is judged 10 s after its end.',
    windowS: 30,
    link: bothWays('5mbit', 25),
    beside: { tcp: { service: { id: 'iperf', congestionControl: 'cubic' }, start: '3s', stop: '8s' } },
    each: { kbit: [1500, 5000], from: 18 },
  }),
});
