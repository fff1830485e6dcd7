/**
 * Study of queues that could protect a stream from a flood: the flagship's link with each of them. The floods and the
 * stream do not use ECN.
 *
 * Confucius (arXiv 2310.18030) is not among the queues: its constants and rules could not be read. A queue after its
 * idea is 'confucius-like', which is this project's own in part (its README says in which); a condition adds it: --set
 * 'conditions.confucius-like-bbr3={"link":{"queue":{"limit":"1000packets","aqm":"confucius-like"}}}'. The emulator has
 * all queues but CAKE, which needs a kernel that has it: --set
 * 'conditions.cake-bbr3={"link":{"queue":{"limit":"1000packets","aqm":"cake"}}}'.
 */
import { defineExperiment } from '../../../definition/define.ts';
import type { LinkDefinition } from '../../../definition/link.ts';

const floods = {
  bbr3: { title: 'BBRv3', id: 'iperf', congestionControl: 'bbr3' },
  cubic: { title: 'CUBIC', id: 'iperf', congestionControl: 'cubic' },
} as const;
type Flood = keyof typeof floods;

/** Queues. DualPI2 tells its two kinds of traffic apart by ECN, so it needs it; here all traffic is classic. */
const queues = {
  fifo: { title: 'FIFO', queue: { limit: '1000packets' } },
  codel: { title: 'CoDel', queue: { limit: '1000packets', aqm: 'codel' } },
  'fq-codel': { title: 'FQ-CoDel', queue: { limit: '1000packets', aqm: 'fq-codel' } },
  pie: { title: 'PIE', queue: { limit: '1000packets', aqm: 'pie' } },
  dualpi2: { title: 'DualPI2', queue: { limit: '1000packets', aqm: 'dualpi2', ecn: true } },
} as const satisfies Record<string, { title: string; queue: LinkDefinition['queue'] }>;
type Queue = keyof typeof queues;

const queueNames = Object.keys(queues) as Queue[];
const floodNames = Object.keys(floods) as Flood[];
const at = (queue: Queue, flood: Flood) => `${queue}-${flood}`;
const againstFifo = (queue: Queue, value: { metric: string; of?: string }, expects: 'lower' | 'not-lower') =>
  floodNames.map(flood => ({ ...value, condition: at(queue, flood), than: at('fifo', flood), expects }));

export default defineExperiment({
  title: 'Queues that protect a stream from a flood',
  question: 'Which queue protects the viewer, and what does the flood lose by it?',
  source: 'own; the link and floods of Juntima et al., whose future work is queue management',

  link: { rate: '40mbit', rtt: '20ms', queue: queues.fifo.queue },
  service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
  flood: { id: 'none' },

  conditions: {
    alone: { title: 'Alone behind a FIFO' },
    ...Object.fromEntries(
      queueNames.flatMap(queue =>
        floodNames.map(flood => {
          const { title, ...parameters } = floods[flood];
          return [
            at(queue, flood),
            {
              title: `Beside ${title} behind ${queues[queue].title}`,
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
      text: 'Every AQM shortens the latency of the frames beside a flood.',
      source: 'RFC 7567, section 4',
      holds: queueNames
        .filter(queue => queue !== 'fifo')
        .flatMap(queue => againstFifo(queue, { metric: 'frame-latency-p95' }, 'lower')),
    },
    {
      text: 'A queue for each flow gives the stream what it has alone.',
      source: 'RFC 8290, section 1',
      holds: floodNames.map(flood => ({
        metric: 'goodput',
        condition: at('fq-codel', flood),
        than: 'alone',
        expects: 'not-lower' as const,
      })),
    },
    {
      text: 'The flood loses nothing by a queue for each flow.',
      holds: againstFifo('fq-codel', { metric: 'goodput', of: 'others' }, 'not-lower'),
    },
    {
      text: 'Behind FQ-CoDel and DualPI2 the picture stalls for less than 0.5 s beside a flood.',
      holds: floodNames.flatMap(flood =>
        (['fq-codel', 'dualpi2'] as const).map(queue => ({
          metric: 'stall-time',
          condition: at(queue, flood),
          below: '0.5s' as const,
        })),
      ),
    },
  ],

  run: { window: '20s', startUp: '10s', floodLead: '5s', repeats: 6 },
});
