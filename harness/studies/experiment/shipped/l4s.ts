/**
 * Study of Chromium's SCReAMv2, which sends ECT(1), beside one TCP flow: over DualPI2, over a FIFO that marks nothing, and
 * over queues with classic ECN, which mark ECT(1) as they mark ECT(0). RFC 9331, section 4.3, asks an L4S sender for a
 * fall-back at the latter; libwebrtc has none.
 *
 * CUBIC and BBRv3 use classic ECN. The DCTCP-like TCP of this repository sends ECT(1); it is not TCP Prague, which needs
 * a kernel that has it.
 *
 * The base round trip is 20 ms; with --set link.rtt=50ms it is the study at 50 ms.
 */
import { defineExperiment } from '../../../definition/define.ts';
import type { LinkDefinition } from '../../../definition/link.ts';

const floods = {
  cubic: { title: 'CUBIC', id: 'iperf', congestionControl: 'cubic', ecn: 'classic' },
  bbr3: { title: 'BBRv3', id: 'iperf', congestionControl: 'bbr3', ecn: 'classic' },
  dctcp: { title: 'DCTCP-like TCP', id: 'iperf', congestionControl: 'dctcp-like', ecn: 'l4s' },
} as const;
type Flood = keyof typeof floods;

/** Queues; `marks`: the kind of marking. */
const queues = {
  dualpi2: { title: 'DualPI2', queue: { limit: '250ms', aqm: 'dualpi2', ecn: true }, marks: 'l4s' },
  fifo: { title: 'a FIFO', queue: { limit: '250ms', aqm: 'fifo', ecn: false }, marks: 'none' },
  'fq-codel': { title: 'FQ-CoDel with ECN', queue: { limit: '250ms', aqm: 'fq-codel', ecn: true }, marks: 'flows' },
  codel: { title: 'CoDel with ECN', queue: { limit: '250ms', aqm: 'codel', ecn: true }, marks: 'classic' },
  pie: { title: 'PIE with ECN', queue: { limit: '250ms', aqm: 'pie', ecn: true }, marks: 'classic' },
} as const satisfies Record<string, { title: string; queue: LinkDefinition['queue']; marks: string }>;
type Queue = keyof typeof queues;

const queueNames = Object.keys(queues) as Queue[];
const floodNames = Object.keys(floods) as Flood[];
/** Floods with ECT(0), which are classic traffic. */
const classicFloods = floodNames.filter(flood => floods[flood].ecn === 'classic');
const at = (queue: Queue, flood: Flood) => `${queue}-${flood}`;
/** Half of the fair share of two parties at 10 Mbit/s. */
const halfOfShare = '2.5mbit';

const ofOthers = { of: 'others' };

export default defineExperiment({
  title: "Chromium's SCReAMv2 beside TCP over L4S and classic queues",
  question: 'Does L4S keep the queue of a call short, and what does it cost the TCP flow beside it?',
  source: 'RFC 9331, section 4.3; RFC 9332; libwebrtc 2026-08, SCReAMv2',

  link: { rate: '10mbit', rtt: '20ms', queue: queues.dualpi2.queue },
  service: {
    id: 'chromium-call',
    controller: 'scream-v2',
    clip: 'high-motion',
    clipLength: '15s',
    frameRate: 30,
    startBitrate: '1mbit',
    maxBitrate: '12mbit',
  },
  flood: { id: 'none' },

  conditions: {
    alone: { title: 'Alone over DualPI2' },
    ...Object.fromEntries(
      queueNames.flatMap(queue =>
        floodNames.map(flood => {
          const { title, ...parameters } = floods[flood];
          return [
            at(queue, flood),
            {
              title: `Beside ${title} over ${queues[queue].title}`,
              link: { queue: queues[queue].queue },
              flood: parameters,
            },
          ];
        }),
      ),
    ),
  },
  baseline: 'alone',

  claims: [
    {
      text: 'The L4S queue stays short: 99 % of its packets wait less than 5 ms.',
      source: 'RFC 9330, section 1: consistently ultra-low queuing latency',
      holds: floodNames.map(flood => ({
        metric: 'l4s-queue-delay-p99',
        condition: at('dualpi2', flood),
        below: '5ms' as const,
      })),
    },
    {
      text: 'Over DualPI2 neither class gets less than half of its fair share.',
      source: 'RFC 9332, section 1: the coupling makes L4S and classic flows share the capacity about equally',
      holds: classicFloods.flatMap(flood =>
        [{}, ofOthers].map(of => ({
          metric: 'goodput',
          ...of,
          condition: at('dualpi2', flood),
          above: halfOfShare,
        })),
      ),
    },
    {
      text: 'Over a single queue with classic ECN, CUBIC keeps half of its fair share beside the L4S sender.',
      source: 'RFC 9331, section 4.3: coexistence in a shared queue with classic ECN',
      holds: queueNames
        .filter(queue => queues[queue].marks === 'classic')
        .map(queue => ({ metric: 'goodput', ...ofOthers, condition: at(queue, 'cubic'), above: halfOfShare })),
    },
    {
      text: 'Flow queues with classic ECN protect the call as DualPI2 does: it gets no less than there.',
      holds: floodNames.map(flood => ({
        metric: 'goodput',
        condition: at('fq-codel', flood),
        than: at('dualpi2', flood),
        expects: 'not-lower' as const,
      })),
    },
  ],

  run: { window: '15s', startUp: '10s', floodLead: '5s', repeats: 6 },
});
